# completion.zsh bash SCRIPT | zsh FOLDER, SCRATCH, offers | becomes - the effect of Tab on each line of standard input.
#
# An interactive shell on a terminal of its own reads each line and a Tab. Its completion is the real one, up to the
# place of the insertion of candidates: they are printed. Prints "== LINE" and a candidate a line. With
# "becomes" they are inserted, and the line is printed that the shell has then.
zmodload zsh/zpty || exit 1
TERM=dumb

if [[ $1 == bash ]]; then
    setup="PS1= PS2=; bind 'set bell-style none'; source ${(q)2}
        compopt() { case \$* in *default*) COMPREPLY+=(FILES) ;; esac; }
        _probe() { _fxtop \"\$@\"; printf '<BEG''IN>\n'; printf '%s\n' \"\${COMPREPLY[@]}\"; printf '<E''ND>\n'; COMPREPLY=(); }
        complete -F _probe fxtop"
    [[ $4 == offers ]] || setup="PS1= PS2=; bind 'set bell-style none'; source ${(q)2}
        _line() { printf '<BEG''IN>\n%s\n<E''ND>\n' \"\$READLINE_LINE\"; }
        bind -x '\"\C-g\": _line'"
    zpty shell bash --norc --noprofile -i
else
    setup="PS1= PS2= RPS1=; unsetopt beep; fpath=(${(q)2} \$fpath); autoload -Uz compinit; compinit -D -u
        bindkey -e
        compadd() { # -O, -A and -D only fill arrays
            builtin compadd \"\$@\" && return_status=0 || return_status=1
            if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
                typeset -a hits
                builtin compadd -A hits \"\$@\"
                print -rl -- \$hits
            fi
            return \$return_status
        }
        _probe() { print -r -- '<BEG''IN>'; _main_complete; print -r -- '<E''ND>'; compstate[list]= compstate[insert]=; }
        zle -C _probe complete-word _probe
        bindkey '^I' _probe"
    [[ $4 == offers ]] || setup="PS1= PS2= RPS1=; unsetopt beep; fpath=(${(q)2} \$fpath); autoload -Uz compinit
        compinit -D -u
        bindkey -e
        _line() { print -r -- '<BEG''IN>'; print -r -- \$BUFFER; print -r -- '<E''ND>'; }
        zle -N _line
        bindkey '^G' _line"
    zpty shell zsh -f -i
fi
print -r -- $setup >$3
zpty -w shell "source ${(q)3}; echo RE''ADY"
zpty -r shell text $'*READY\r\n' || exit 1
while IFS= read -r query; do
    zpty -w -n shell "$query"$'\t'
    [[ $4 == offers ]] || zpty -w -n shell $'\a'
    zpty -r shell text '*<END>*' || exit 1
    print -r -- "== $query"
    text=${${${text##*'<BEGIN>'}%%'<END>'*}//$'\r'/}
    print -rl -- ${(f)text}
    zpty -w -n shell $'\x15'
done
zpty -d shell
