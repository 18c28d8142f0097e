// The templates of the generated program: containers, closures, variants and expression templates in
// plain C++17 without any header, so that every target compiles them, and with everything that makes
// debug information hard: deep inlining, local classes with code, cold parts, equal functions.
#pragma once

using Size = decltype(sizeof(0));
#ifdef HOSTED
#include <new>
#else
inline void *operator new(Size, void *place) noexcept { return place; }
#endif

extern "C" void *lagoon_take(Size bytes);
extern "C" void lagoon_give(void *memory);
[[noreturn]] void lagoon_fail(int code);

namespace lagoon {

template <class T> struct Bare { using Type = T; };
template <class T> struct Bare<T &> { using Type = T; };
template <class T> struct Bare<T &&> { using Type = T; };
template <class T> struct Bare<const T &> { using Type = T; };
template <class T> constexpr typename Bare<T>::Type &&move(T &&value) noexcept {
  return static_cast<typename Bare<T>::Type &&>(value);
}
template <class T> constexpr T &&forward(typename Bare<T>::Type &value) noexcept {
  return static_cast<T &&>(value);
}
template <class T> void swap(T &a, T &b) {
  T c = move(a);
  a = move(b);
  b = move(c);
}

template <class T> class Vector {
public:
  Vector() = default;
  Vector(const Vector &other) {
    reserve(other.count_);
    for (const T &item : other) push(item);
  }
  Vector(Vector &&other) noexcept
      : items_(other.items_), count_(other.count_), room_(other.room_) {
    other.items_ = nullptr;
    other.count_ = other.room_ = 0;
  }
  Vector &operator=(Vector other) {
    swap(items_, other.items_);
    swap(count_, other.count_);
    swap(room_, other.room_);
    return *this;
  }
  ~Vector() {
    clear();
    lagoon_give(items_);
  }
  T *begin() { return items_; }
  T *end() { return items_ + count_; }
  const T *begin() const { return items_; }
  const T *end() const { return items_ + count_; }
  unsigned size() const { return count_; }
  T &operator[](unsigned index) {
    if (__builtin_expect(index >= count_, 0)) lagoon_fail(1);
    return items_[index];
  }
  void push(T item) {
    if (count_ == room_) reserve(room_ ? room_ * 2 : 4);
    new (items_ + count_) T(move(item));
    ++count_;
  }
  void insert(unsigned place, T item) {
    push(move(item));
    for (unsigned i = count_ - 1; i > place; --i) swap(items_[i], items_[i - 1]);
  }
  void clear() {
    while (count_ > 0) items_[--count_].~T();
  }

private:
  void reserve(unsigned room) {
    if (room <= room_) return;
    T *fresh = static_cast<T *>(lagoon_take(room * sizeof(T)));
    for (unsigned i = 0; i < count_; ++i) {
      new (fresh + i) T(move(items_[i]));
      items_[i].~T();
    }
    lagoon_give(items_);
    items_ = fresh;
    room_ = room;
  }
  T *items_ = nullptr;
  unsigned count_ = 0, room_ = 0;
};

template <class Key, class Value> struct Entry {
  Key key;
  Value value;
};

template <class Key, class Value, class Order> class Map {
public:
  Value &operator[](const Key &key) {
    unsigned place = find(key);
    if (place == entries_.size() || order_(key, entries_[place].key))
      entries_.insert(place, Entry<Key, Value>{key, Value()});
    return entries_[place].value;
  }
  template <class Body> void each(Body body) {
    for (Entry<Key, Value> &entry : entries_) body(entry.key, entry.value);
  }
  unsigned size() const { return entries_.size(); }

private:
  unsigned find(const Key &key) {
    unsigned low = 0, high = entries_.size();
    while (low < high) {
      unsigned middle = (low + high) / 2;
      if (order_(entries_[middle].key, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  Vector<Entry<Key, Value>> entries_;
  Order order_;
};

template <class Signature> class Closure;
template <class Result, class... Arguments> class Closure<Result(Arguments...)> {
  struct Body {
    virtual Result call(Arguments...) = 0;
    virtual ~Body() {}
    void operator delete(void *) {}
  };
  template <class Code> struct Holder final : Body {
    explicit Holder(Code code) : code(move(code)) {}
    Result call(Arguments... arguments) override { return code(arguments...); }
    Code code;
  };

public:
  template <class Code> Closure(Code code) {
    body_ = new (lagoon_take(sizeof(Holder<Code>))) Holder<Code>(move(code));
  }
  Closure(const Closure &) = delete;
  ~Closure() {
    if (body_) {
      body_->~Body();
      lagoon_give(body_);
    }
  }
  Result operator()(Arguments... arguments) { return body_->call(arguments...); }

private:
  Body *body_ = nullptr;
};

template <class... Cases> struct OneOf;
template <> struct OneOf<> {
  template <class Visitor> long visit(int, Visitor &) { lagoon_fail(2); }
};
template <class First, class... Rest> struct OneOf<First, Rest...> {
  template <class Visitor> long visit(int which, Visitor &visitor) {
    if (which == 0) return visitor(first);
    return rest.visit(which - 1, visitor);
  }
  First first{};
  OneOf<Rest...> rest{};
};

// Expressions that are computed only when they are stored.
template <class Left, class Right, class Operation> struct Pending {
  const Left &left;
  const Right &right;
  auto at(unsigned index) const { return Operation::apply(left.at(index), right.at(index)); }
};
struct Plus {
  template <class A, class B> static auto apply(A a, B b) { return a + b; }
};
struct Times {
  template <class A, class B> static auto apply(A a, B b) { return a * b; }
};
template <class T, unsigned count> struct Row {
  T items[count]{};
  T at(unsigned index) const { return items[index]; }
  template <class Other> Row &operator=(const Other &other) {
    for (unsigned i = 0; i < count; ++i) items[i] = static_cast<T>(other.at(i));
    return *this;
  }
};
template <class A, class B> Pending<A, B, Plus> operator+(const A &a, const B &b) { return {a, b}; }
template <class A, class B> Pending<A, B, Times> operator*(const A &a, const B &b) { return {a, b}; }

template <class T, class Order> void sort(T *first, T *last, Order order) {
  while (last - first > 1) {
    T *low = first, *high = last - 1;
    T pivot = first[(last - first) / 2];
    while (low <= high) {
      while (order(*low, pivot)) ++low;
      while (order(pivot, *high)) --high;
      if (low <= high) swap(*low++, *high--);
    }
    if (high + 1 - first < last - low) {
      sort(first, high + 1, order);
      first = low;
    } else {
      sort(low, last, order);
      last = high + 1;
    }
  }
}
template <class T, class Sum, class Fold> Sum fold(const Vector<T> &items, Sum sum, Fold join) {
  for (const T &item : items) sum = join(sum, item);
  return sum;
}
template <int depth> struct Ladder {
  template <class Step> static long climb(long from, Step step) {
    return Ladder<depth - 1>::climb(step(from, depth), step);
  }
};
template <> struct Ladder<0> {
  template <class Step> static long climb(long from, Step step) { return step(from, 0); }
};

struct Shape {
  virtual long area(long scale) const = 0;
  virtual ~Shape() {}
  void operator delete(void *) {}
};

}  // namespace lagoon
