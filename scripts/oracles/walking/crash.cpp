// Crashes below templates, virtual calls, lambdas and a thread.
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area(int depth) const = 0;
};

static std::string how;

template <int N> struct Nested : Shape {
  [[gnu::noinline]] int area(int depth) const override {
    volatile int room[N] = {depth};
    return Nested<N - 1>().area(depth + 1) + room[0];
  }
};

template <> struct Nested<0> : Shape {
  [[gnu::noinline]] int area(int depth) const override {
    if (how == "throw") throw std::runtime_error("no area");
    if (how == "at") return std::vector<int>(2).at(depth + 5);
    volatile int *nowhere = nullptr;
    return *nowhere + depth;
  }
};

int main(int argc, char **argv) {
  how = argc > 2 ? argv[2] : "null";
  std::function<int()> run = [] {
    std::vector<Shape *> shapes{new Nested<6>};
    int sum = 0;
    for (auto *shape : shapes) sum += shape->area(1);
    return sum;
  };
  if (argc > 1 && std::string(argv[1]) == "thread") {
    std::thread other([&] { std::exit(run()); });
    other.join();
  }
  return run();
}
