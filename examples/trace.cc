// trace.cc - the same in C++17: plain values as arguments, and a queue of work for two threads.
//
//     c++ -std=c++17 $(pkg-config --cflags fxttrace) trace.cc $(pkg-config --libs fxttrace) -o trace
//     fxtop record ./trace && fxtop trace.fxt
#include <lib/trace/event.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>
#include <vector>

enum class Kind { decode, scale };

struct Job {
    uint64_t id;
    Kind kind;
    std::string name;
};

class Queue {
  public:
    void push(Job job) {
        TRACE_DURATION("queue", "push", "job", job.id, "name", job.name);
        TRACE_FLOW_BEGIN("queue", "job", job.id);
        std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push(std::move(job));
        TRACE_COUNTER("queue", "length", 0, "jobs", jobs_.size());
        ready_.notify_one();
    }
    void close() {
        std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
        ready_.notify_all();
    }
    std::optional<Job> pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
        if (jobs_.empty())
            return std::nullopt;
        Job job = std::move(jobs_.front());
        jobs_.pop();
        return job;
    }

  private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::queue<Job> jobs_;
    bool closed_ = false;
};

static void work(Queue &queue) {
    while (std::optional<Job> job = queue.pop()) {
        TRACE_DURATION("work", job->kind == Kind::decode ? "decode" : "scale", "kind", job->kind, "name", job->name);
        TRACE_FLOW_END("queue", "job", job->id);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

int main() {
    Queue queue;
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; i++)
        workers.emplace_back([&queue] { work(queue); });
    for (int i = 0; i < 50; i++)
        queue.push({TRACE_NONCE(), i % 3 ? Kind::decode : Kind::scale, "image " + std::to_string(i)});
    queue.close();
    for (std::thread &worker : workers)
        worker.join();
    TRACE_INSTANT("work", "done", TRACE_SCOPE_PROCESS, "threads", workers.size(), "ratio", 0.5, "ok", true);
}
