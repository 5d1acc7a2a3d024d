#!/bin/sh
# term_builtin.sh - prints the rows of term_builtin.c: the usual terminals, from this machine's terminfo database.
#
# Debian has them in ncurses-base, ncurses-term, foot-terminfo and kitty-terminfo; those that are missing are named on
# standard error. The first one is the one that others fall back to, and must be there.
set -u
for name in xterm-256color xterm xterm-direct vt100 vt220 linux screen screen-256color tmux tmux-256color \
    rxvt-unicode-256color rxvt-256color konsole-256color gnome-256color vte-256color st-256color mintty \
    alacritty foot xterm-kitty; do
    text=$(infocmp -x -q -Q2 "$name" 2>/dev/null | tr -d '\n')
    case $text in
    b64:*) printf '    {"%s",\n     "%s"},\n' "$name" "$text" ;;
    *)
        echo "term_builtin.sh: no description of $name (ncurses-term, foot-terminfo, kitty-terminfo)" >&2
        [ "$name" != xterm-256color ] || exit 1
        ;;
    esac
done
