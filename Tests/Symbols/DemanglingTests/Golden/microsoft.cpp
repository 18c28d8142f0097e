// Every construct that the names of Microsoft's compiler can hold. microsoft.sh compiles this with Clang and asks
// llvm-undname what the names mean.
typedef __SIZE_TYPE__ size_t;
typedef decltype(nullptr) nullptr_t;

namespace std {
struct type_info { virtual ~type_info(); };
struct strong_ordering { int value; };
template <class T> struct allocator {};
template <class T> struct char_traits {};
template <class C, class T = char_traits<C>, class A = allocator<C>> struct basic_string {
  basic_string(); ~basic_string();
  size_t size() const; basic_string &append(const C *, size_t);
  template <class It> basic_string(It, It);
};
using string = basic_string<char>;
template <class T, class A = allocator<T>> struct vector {
  T &operator[](size_t); void push_back(T &&); void push_back(const T &);
};
template <class A, class B> struct pair { A first; B second; };
template <class... T> struct tuple {};
template <class T> struct less {};
template <class K, class V, class L = less<K>, class A = allocator<pair<const K, V>>> struct map {
  V &operator[](const K &);
};
template <class F> struct function;
template <class R, class... A> struct function<R(A...)> { R operator()(A...) const; };
}

#define KEEP __attribute__((used, noinline))

// Fundamental types.
namespace types {
KEEP void f(bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long) {}
KEEP void g(unsigned long, long long, unsigned long long, float, double, long double) {}
KEEP void h(wchar_t, char16_t, char32_t, nullptr_t, ...) {}
KEEP void none() {}
KEEP void variadic(...) {}
KEEP int &reference(int &) { static int x; return x; }
KEEP int &&rvalue(int &&x) { return (int &&)x; }
KEEP const int *pointers(int *, const int *, volatile int *, const volatile int *, int *const) { return 0; }
KEEP void levels(int **, const int *const *, int *const *volatile *, void *, const void *) {}
KEEP void restricted(int *__restrict, const char *__restrict) {}
KEEP void unaligned(__unaligned int *, const __unaligned int *) {}
KEEP void arrays(int (*)[3], int (&)[4], const int (*)[2][5], int[][7], char *(*)[1]) {}
KEEP void big(int (*)[1000000], int (*)[10], int (*)[11]) {}
KEEP void functions(void (*)(int), int (&)(char, ...), void (*(*)(int))(char), void (**)(void)) {}
KEEP void nothrow(void (*)() noexcept) noexcept {}
KEEP void (*returnsFunction(int))(char) { return 0; }
KEEP int (*returnsArray())[3] { return 0; }
KEEP int (*(*returnsFunctionOfFunction(long))(int))(char) { return 0; }
struct S {}; class C {}; union U {}; enum E {}; enum class F : char {};
KEEP void tagged(S, C, U, E, F, S *, const C &, U &&, E *const *, F) {}
KEEP S byValue(const S) { return {}; }
KEEP const S constant() { return {}; }
KEEP void members(int S::*, const int S::*, void (S::*)(int), int (S::*)() const, void (S::*)() &&) {}
KEEP void membersOfMembers(int (S::*C::*)(), int S::*C::*, int (S::*)[3], void (S::**)()) {}
KEEP void convention(void(__vectorcall *)(int), int(__fastcall *)(int), int(__stdcall *)(int)) {}
#ifndef __arm64ec__
KEEP void __vectorcall vector_call(double) {}
#endif
KEEP void __fastcall fast_call(int, int) {}
KEEP void __stdcall std_call(int) {}
KEEP __attribute__((regcall)) void reg_call(int) {}
KEEP void repeated(S *, S *, C, C, const char *, const char *, S *, const char *, void (*)(S *), C) {}
KEEP void many(S *, C *, U *, E *, F *, S &, C &, U &, E &, F &, S **, C **, S *, F &, S **, C **) {}
KEEP void complex(_Complex float, _Complex double) {}
typedef float float4 __attribute__((vector_size(16)));
KEEP void vectors(float4, float4 *) {}
KEEP auto deduced(int x) { return x; }
KEEP decltype(auto) deducedType(int x) { return (x); }
}

// Members and operators.
struct Shape {
  Shape(); Shape(const Shape &); Shape(Shape &&) noexcept; virtual ~Shape();
  virtual double area() const; virtual void scale(double) &; virtual void move() &&;
  void constant() const; void changing() volatile; void both() const volatile; void lvalue() const &;
  static int count; static const int limit; static Shape *make(const char *);
  static Shape all[3]; static int (*callback)(Shape *); static int Shape::*member;
  template <class T> T as() const; template <class T> Shape(T *, int);
  operator int() const; operator const char *(); operator Shape *&(); explicit operator bool() const;
  template <class T> operator T(); typedef void (*Callback)(int); operator Callback();
protected:
  virtual void guarded(int); static int protectedCount; static void protectedMake();
private:
  virtual void hidden(Shape); static int privateCount; static void privateMake(); void secret() const;
};
Shape::Shape() {} Shape::Shape(const Shape &) {} Shape::Shape(Shape &&) noexcept {} Shape::~Shape() {}
double Shape::area() const { return 0; } void Shape::scale(double) & {} void Shape::move() && {}
void Shape::constant() const {} void Shape::changing() volatile {} void Shape::both() const volatile {}
void Shape::lvalue() const & {} int Shape::count; const int Shape::limit = 3;
Shape *Shape::make(const char *) { return new Shape[count]; }
Shape Shape::all[3]; int (*Shape::callback)(Shape *); int Shape::*Shape::member;
template <class T> T Shape::as() const { return T(); } template <class T> Shape::Shape(T *, int) {}
template int Shape::as<int>() const; template Shape *Shape::as<Shape *>() const;
template Shape::Shape(char *, int);
Shape::operator int() const { return 0; } Shape::operator const char *() { return 0; }
Shape::operator Shape *&() { static Shape *x; return x; } Shape::operator bool() const { return 1; }
template <class T> Shape::operator T() { return T(); } template Shape::operator double();
template Shape::operator std::vector<int>(); Shape::operator Callback() { return 0; }
void Shape::guarded(int) {} int Shape::protectedCount; void Shape::protectedMake() {}
void Shape::hidden(Shape) {} int Shape::privateCount; void Shape::privateMake() {}
void Shape::secret() const {}

struct Op {
  int x;
  Op &operator=(const Op &); Op &operator=(Op &&);
  Op operator+(Op) const; Op operator-(Op) const; Op operator*(Op) const; Op operator/(Op) const;
  Op operator%(Op) const; Op operator^(Op) const; Op operator&(Op) const; Op operator|(Op) const;
  Op operator~() const; bool operator!() const; bool operator<(Op) const; bool operator>(Op) const;
  Op &operator+=(Op); Op &operator-=(Op); Op &operator*=(Op); Op &operator/=(Op); Op &operator%=(Op);
  Op &operator^=(Op); Op &operator&=(Op); Op &operator|=(Op); Op operator<<(int) const;
  Op operator>>(int) const; Op &operator<<=(int); Op &operator>>=(int); bool operator==(Op) const;
  bool operator!=(Op) const; bool operator<=(Op) const; bool operator>=(Op) const;
  bool operator&&(Op) const; bool operator||(Op) const; Op &operator++(); Op operator++(int);
  Op &operator--(); Op operator--(int); Op operator,(Op) const; Op *operator->(); int &operator->*(int);
  int operator()(int, char) const; int &operator[](size_t); Op operator*() const; Op *operator&();
  Op operator-() const; Op operator+() const; std::strong_ordering operator<=>(const Op &) const;
  static void *operator new(size_t); static void *operator new[](size_t);
  static void operator delete(void *); static void operator delete[](void *);
};
Op &Op::operator=(const Op &) { return *this; } Op &Op::operator=(Op &&) { return *this; }
Op Op::operator+(Op) const { return {}; } Op Op::operator-(Op) const { return {}; }
Op Op::operator*(Op) const { return {}; } Op Op::operator/(Op) const { return {}; }
Op Op::operator%(Op) const { return {}; } Op Op::operator^(Op) const { return {}; }
Op Op::operator&(Op) const { return {}; } Op Op::operator|(Op) const { return {}; }
Op Op::operator~() const { return {}; } bool Op::operator!() const { return 0; }
bool Op::operator<(Op) const { return 0; } bool Op::operator>(Op) const { return 0; }
Op &Op::operator+=(Op) { return *this; } Op &Op::operator-=(Op) { return *this; }
Op &Op::operator*=(Op) { return *this; } Op &Op::operator/=(Op) { return *this; }
Op &Op::operator%=(Op) { return *this; } Op &Op::operator^=(Op) { return *this; }
Op &Op::operator&=(Op) { return *this; } Op &Op::operator|=(Op) { return *this; }
Op Op::operator<<(int) const { return {}; } Op Op::operator>>(int) const { return {}; }
Op &Op::operator<<=(int) { return *this; } Op &Op::operator>>=(int) { return *this; }
bool Op::operator==(Op) const { return 0; } bool Op::operator!=(Op) const { return 0; }
bool Op::operator<=(Op) const { return 0; } bool Op::operator>=(Op) const { return 0; }
bool Op::operator&&(Op) const { return 0; } bool Op::operator||(Op) const { return 0; }
Op &Op::operator++() { return *this; } Op Op::operator++(int) { return {}; }
Op &Op::operator--() { return *this; } Op Op::operator--(int) { return {}; }
Op Op::operator,(Op) const { return {}; } Op *Op::operator->() { return this; }
int &Op::operator->*(int) { return x; } int Op::operator()(int, char) const { return 0; }
int &Op::operator[](size_t) { return x; } Op Op::operator*() const { return {}; }
Op *Op::operator&() { return this; } Op Op::operator-() const { return {}; }
Op Op::operator+() const { return {}; }
std::strong_ordering Op::operator<=>(const Op &) const { return {}; }
void *Op::operator new(size_t) { return 0; } void *Op::operator new[](size_t) { return 0; }
void Op::operator delete(void *) {} void Op::operator delete[](void *) {}
KEEP double operator""_km(long double x) { return x; }
KEEP const char *operator""_s(const char *s, size_t) { return s; }
KEEP bool operator==(const Op &, int) { return 0; }
template <class T> KEEP bool operator<(const T &, const Op &) { return 0; }
template bool operator< <Shape>(const Shape &, const Op &);

// Variables.
int global; const int globalConstant = 3; extern const int exported = 4; volatile int changing;
int *pointer; const int *pointerToConstant; int *const constantPointer = 0; int array[3];
extern int *const exportedPointer = &global; extern const int exportedArray[2] = {1, 2};
void (*function)(int, ...); int (*arrayPointer)[3]; int Shape::*memberPointer;
void (Shape::*functionMember)(int) const; Shape object; const Shape *objects[2][3]; int &reference = global;
namespace outer { inline namespace inner { int variable; namespace { int hidden; KEEP int f() { return hidden++; }
  struct Local { KEEP void run() {} KEEP ~Local() {} }; } KEEP void g() { Local().run(); f(); } } }
namespace { namespace nested { KEEP int anonymous(int x) { return x; } struct A { struct B {}; }; } 
  KEEP void takes(nested::A::B) {} template <class T> KEEP void generic(T) {} }
KEEP void usesAnonymous() { nested::anonymous(1); takes({}); generic(nested::A{}); }
extern "C" { KEEP int plainC(int x) { static int counter; return counter += x; } int dataC; }
thread_local Shape perThread; inline int inlineVariable = plainC(2); static Shape *staticObject = new Shape;
template <class T> int perType = sizeof(T); template <class T> T perTypeObject; int useIt = perType<char>;
int useAgain = perTypeObject<int>; inline Shape inlineObject;

// Local names, lambdas, guards, initialisers.
KEEP int locals(int x) {
  static Shape guarded; static int once = plainC(x); static thread_local Shape threads;
  struct Local { KEEP int run(int y) { static int deep = plainC(y); return deep; } };
  if (x) { static int inner; struct Local2 { KEEP void f() {} }; Local2().f(); inner++; }
  { { static int deeper = plainC(1); deeper++; } }
  enum { A, B }; auto lambda = [](int z) { static int inLambda = plainC(z); return inLambda; };
  auto generic = [&](auto a, auto b) { return a + b + x; };
  auto mutating = [x]() mutable { return ++x; };
  auto nested = [=] { return [=](char c) { return c + x; }('a'); };
  return Local().run(x) + lambda(x) + generic(1, 2L) + generic('a', 1.0) + mutating() + nested();
}
auto globalLambda = [](int x) { return x; };
KEEP int callLambda() { return globalLambda(3); }
inline auto inlineLambda = [](Shape *s) { return s; };
KEEP Shape *callInline() { return inlineLambda(nullptr); }
struct WithLambda { int (*f)(int) = [](int x) { return x + 1; }; KEEP WithLambda() {} };
KEEP void callWith() { WithLambda w; w.f(1); }
inline int &inlineStatic() { static int x = plainC(7); return x; }
KEEP void useInlineStatic() { inlineStatic()++; }
KEEP void unnamed() { struct { int x; KEEP void f() {} } a; a.f(); enum { one } e; (void)e;
  union { int i; KEEP void g() {} } b; b.g(); }
template <class T> KEEP void templateLocal(T t) { struct Inner { KEEP void go(T) {} }; Inner().go(t);
  static T s = t; auto l = [&](T x) { s = x; }; l(t); }
template void templateLocal(int); template void templateLocal(Shape *);
KEEP int defaultArgument(int (*f)() = [] { return 5; }) { return f(); }
KEEP int useDefault() { return defaultArgument(); }

// Virtual tables, thunks, run-time types.
struct Base1 { virtual void one(); virtual ~Base1(); int a; }; void Base1::one() {} Base1::~Base1() {}
struct Base2 { virtual void two(); virtual Base2 *clone(); virtual ~Base2(); int b; };
void Base2::two() {} Base2 *Base2::clone() { return this; } Base2::~Base2() {}
struct Derived : Base1, Base2 { void one() override; void two() override; Derived *clone() override; ~Derived(); };
void Derived::one() {} void Derived::two() {} Derived *Derived::clone() { return this; } Derived::~Derived() {}
struct Virtual : virtual Base1 { Virtual(); void one() override; ~Virtual(); };
Virtual::Virtual() {} void Virtual::one() {} Virtual::~Virtual() {}
struct Virtual2 : virtual Base2 { Virtual2(); void two() override; ~Virtual2(); };
Virtual2::Virtual2() {} void Virtual2::two() {} Virtual2::~Virtual2() {}
struct Diamond : Virtual, Virtual2 { Diamond(); void one() override; void two() override; ~Diamond(); };
Diamond::Diamond() {} void Diamond::one() {} void Diamond::two() {} Diamond::~Diamond() {}
struct Deep : virtual Diamond, Derived { Deep(); void one() override; void two() override; Derived *clone() override; };
Deep::Deep() {} void Deep::one() {} void Deep::two() {} Derived *Deep::clone() { return this; }
struct Private : private virtual Base2 { Private(); private: void two() override; protected: Base2 *clone() override; };
Private::Private() {} void Private::two() {} Base2 *Private::clone() { return 0; }
KEEP void *casts(Base1 *b) { return dynamic_cast<Derived *>(b); }
KEEP const std::type_info *ids();
auto vcall = &Base2::two; auto vcall2 = &Base2::clone; auto vcall3 = &Shape::area;
KEEP void throws(int x) { if (x == 1) throw Shape(); if (x == 2) throw &global; if (x == 3) throw Derived();
  if (x == 4) throw (const char *)"x"; if (x == 5) throw 3; }
KEEP int catches() { try { throws(1); } catch (Shape &) { return 1; } catch (const Derived *) { return 2; }
  catch (...) { return 3; } return 0; }
KEEP Shape *arrays() { return new Shape[3]; }
KEEP void deletes(Shape *s, Derived *d) { delete[] s; delete d; }
struct __declspec(dllexport) Exported { Exported(int = 3) {} Exported(const Exported &) {} virtual ~Exported() {}
  virtual void f() {} static int s; }; int Exported::s;

// Templates.
template <class... T> struct Pack {}; template <int... I> struct Ints {}; template <class T, int N> struct Array {
  T data[N]; KEEP T *begin() { return data; } struct Iterator { KEEP void next() {} }; };
template <auto V> struct Auto {}; template <template <class...> class T> struct OfTemplate {};
template <class T, T V> struct Constant {}; template <int *P> struct Pointer {}; template <int &R> struct Reference {};
template <void (*F)(int)> struct Function {}; template <int Shape::*M> struct Member {};
template <void (Shape::*M)() const> struct MemberFunction {}; template <bool B> struct Bool {};
template <auto... V> struct Autos {}; template <class T> struct Outer { template <class U> struct Inner { KEEP void f(T, U) {} }; };
template <class T> using Alias = Pack<T>; struct Multi : Base1, Base2 { void m(); };
template <void (Multi::*M)()> struct MultiMember {}; template <void (Virtual::*M)()> struct VirtualMember {};
template <int Multi::*M> struct MultiData {}; template <int Virtual::*M> struct VirtualData {};
struct Forward; template <void (Forward::*M)()> struct UnknownMember {}; template <int Forward::*M> struct UnknownData {};
struct Point { int x, y; }; template <Point P> struct OfPoint {}; struct Text { char s[4]; };
template <Text T> struct OfText {}; template <double D> struct OfDouble {};
struct Holder { int value; KEEP void run() const {} template <class T> KEEP void templ() const {} };
template <void (Holder::*M)() const> struct HolderMember {}; template <int Holder::*M> struct HolderData {};
template <nullptr_t N> struct Null {}; enum Colour { red, green = -3 }; template <Colour C> struct OfEnum {};
KEEP void called(int) {}
KEEP void t1(Pack<>, Pack<int>, Pack<int, char, Shape *>, Pack<Pack<Pack<>>>, Ints<>, Ints<1, 2, -3>) {}
KEEP void t2(Array<int, 3>, Array<Array<char, 1>, 0>, Array<int, 3>::Iterator, Outer<int>::Inner<char>) {}
KEEP void t3(Auto<3>, Auto<'a'>, Auto<true>, Auto<&global>, Auto<&called>, Auto<nullptr>, Autos<1, 'c'>) {}
KEEP void t4(OfTemplate<Pack>, OfTemplate<std::vector>, OfTemplate<Alias>) {}
KEEP void t5(Constant<int, -1>, Constant<char, 'z'>, Constant<unsigned long long, ~0ull>, Constant<bool, true>) {}
KEEP void t6(Pointer<&global>, Pointer<nullptr>, Reference<global>, Function<&called>, Function<nullptr>, Bool<true>) {}
KEEP void t7(HolderMember<&Holder::run>, HolderData<&Holder::value>, HolderMember<nullptr>, HolderData<nullptr>) {}
KEEP void t8(MultiMember<&Multi::m>, MultiMember<nullptr>, VirtualMember<nullptr>, VirtualMember<&Virtual::one>) {}
KEEP void t9(MultiData<nullptr>, VirtualData<nullptr>, UnknownMember<nullptr>, UnknownData<nullptr>) {}
KEEP void t10(OfPoint<Point{1, -2}>, OfText<Text{"ab"}>, OfDouble<1.5>, Null<nullptr>, OfEnum<red>, OfEnum<green>) {}
KEEP void t11(HolderMember<&Holder::templ<int>>, Auto<&Holder::run>, Auto<&Holder::value>, Auto<red>, Auto<&called>) {}
KEEP void t12(Pack<int[3]>, Pack<const int>, Pack<const int[2]>, Pack<int()>, Pack<int() const>, Pack<void(int) noexcept>) {}
KEEP void t13(Pack<const Shape>, Pack<volatile int *const>, Pack<int &&>, Pack<int Shape::*const>, Pack<void (Shape::*)() const &>) {}
KEEP void t14(std::string, std::vector<std::string>, std::map<std::string, std::vector<int>>, const std::string &) {}
KEEP void t15(std::function<void(int, const std::string &)>, std::function<Shape *()>, std::pair<int, std::string>) {}
KEEP void t16(std::tuple<>, std::tuple<int, std::tuple<char>>, std::tuple<Pack<>, Pack<>>) {}
namespace one { template <class T, class... U> struct Same {}; struct X {}; } 
namespace two { template <class T> struct Same {}; struct Y {}; }
KEEP void t17(one::Same<int>, two::Same<int>, one::X, two::Y, one::Same<int>) {}
KEEP void t18(one::Same<Shape>, two::Y, two::Same<Shape>, one::X, two::Same<Shape> *, two::Y *, one::X *) {}
template <void (Op::*M)(), class T> struct OpMember { struct In {}; }; struct Called { void operator()() const; int operator()(int); Called(); };
template <void (Called::*M)() const, class A, class B> struct CalledMember {};
KEEP void t19(CalledMember<&Called::operator(), Called, Pack<Called>>, CalledMember<nullptr, Op, Op>) {}
template <class T> KEEP void function1(T) {} template <class T, class U> KEEP T function2(U *, T &) { return T(); }
template <int N> KEEP int function3() { return N; } template <class... T> KEEP void function4(T...) {}
template <auto V> KEEP int function5() { return 0; } template <template <class...> class T> KEEP void function6() {}
template <void (*F)(int)> KEEP void function7() { F(1); } template <class T> KEEP auto function8(T t) -> decltype(t + 1) { return t; }
template void function1(int); template void function1(const char *); template void function1(std::string);
template void function1(void (*)(int)); template void function1(int Shape::*); template void function1(Pack<int[2]>);
template int function2(char *, int &); template double function2(std::vector<int> *, double &);
template int function3<0>(); template int function3<-1>(); template int function3<9>(); template int function3<10>();
template int function3<2147483647>(); template void function4(); template void function4(int, char, Shape *);
template int function5<3>(); template int function5<'x'>(); template int function5<&global>();
template int function5<&called>(); template int function5<&Holder::value>(); template int function5<&Holder::run>();
template int function5<true>(); template int function5<red>(); template void function6<Pack>();
template void function7<called>(); template double function8(double);
template <class T> struct Special { KEEP Special() {} KEEP ~Special() noexcept(true) {} KEEP Special(const Special &) {}
  KEEP operator T() { return T(); } template <class U> KEEP void set(U) {} static T value; KEEP Special &operator=(const Special &) { return *this; } };
template <class T> T Special<T>::value; template struct Special<int>; template struct Special<Special<char>>;
template void Special<int>::set(std::string); template void Special<long>::set(Special<int>);
template <class T> concept Small = sizeof(T) < 9; template <Small T> KEEP void constrained(T) {} template void constrained(char);

// Strings.
KEEP const void *strings(int x) {
  switch (x) { case 0: return "short"; case 1: return ""; case 2: return L"wide \x263a text";
  case 3: return u"sixteen"; case 4: return U"thirty-two"; case 5: return u8"utf-8 \u00e9";
  case 6: return "A text that is longer than thirty-two bytes, so that its end is cut off";
  case 7: return L"A wide text that is longer than thirty-two characters, so that its end is cut off";
  case 8: return "tab\t newline\n quote\" apostrophe' backslash\\ bell\a nul\0 in";
  case 9: return "\x01\x7f\x80\xff\xe1\xfa\xc1\xda?$@,/:. -"; case 10: return u"A text of sixteen bits that is cut off here";
  case 11: return U"A text of thirty-two bits"; case 12: return L""; case 13: return u""; case 14: return "exactly thirty-one bytes long..";
  case 15: return "exactly thirty-two bytes long..."; case 16: return L"a"; default: return "x\0\0"; } }

// Coroutines, names too long for a linker.
struct Awaitable { int operator co_await() const; }; int Awaitable::operator co_await() const { return 0; }
template <class A, class B, class C, class D> struct Long {}; 
using L1 = Long<std::map<std::string, std::string>, std::vector<std::string>, std::tuple<std::string, std::map<std::string, Shape>>, int>;
using L2 = Long<L1, std::vector<L1>, std::pair<L1, L1>, std::map<L1, L1>>;
using L3 = Long<L2, std::vector<L2>, std::pair<L2, L2>, std::map<L2, std::vector<L2>>>;
template <class T> struct Hashed { virtual ~Hashed(); }; template <class T> Hashed<T>::~Hashed() {}
KEEP void longer(L1 *, L2 *) {} template struct Hashed<L1>; template struct Hashed<L2>; KEEP void hashed(L3 *) {}
