import CrashModel
import Grouping
import Identifiers
import Testing

/// Traps of compilers, languages and their names.
extension TrapTests {
  @Test("Trap 1: compilers spell lambdas differently", arguments: versions)
  func lambdas(rules: GroupingRules) {
    expectSame(
      [
        "run::{lambda(int)#1}::operator()(int) const\nmain", "run::$_0::operator()(int)\nmain",
        "run::<lambda_0a1b2c>::operator()\nmain", "run::'lambda'(int)::operator()(int) const\nmain",
        "run::<lambda_0a1b2c3d4e5f60718293a4b5c6d7e8f9>::operator()(int)\nmain",
      ], rules)
  }

  @Test("Trap 2: standard libraries have namespaces of their own", arguments: versions)
  func inlineNamespaces(rules: GroupingRules) {
    expectSame(
      [
        "std::__1::vector<int>::at(unsigned long)\nshop::f()",
        "std::vector<int>::at(unsigned long)\nshop::f()",
        "std::__cxx11::list<int>::front()\nshop::f()",
        "std::__ndk1::vector<int>::at(unsigned)\nshop::f()",
      ], rules)
    // In the names of the app's own functions, too.
    expectSame(
      [
        "shop::Cart::add(std::__1::basic_string<char>)\nmain",
        "shop::Cart::add(std::__cxx11::basic_string<char>)\nmain",
        "shop::Cart::add(std::__ndk1::basic_string<char>)\nmain",
      ], rules)
  }

  @Test("Trap 3: optimisers split and copy functions", arguments: versions)
  func clones(rules: GroupingRules) {
    expectSame(
      [
        "foo\nmain", "foo.cold\nfoo\nmain", "foo.isra.0\nmain", "foo.part.1\nfoo\nmain",
        "foo [clone .constprop.3]\nmain", "foo() [clone .cold.222]\nfoo()\nmain",
        "foo.constprop.1.part.3\nmain", "foo.llvm.1234567\nmain",
      ], rules)
  }

  @Test(
    "Trap 4: in one build the app's function is inlined into its caller", arguments: versions)
  func optimised(rules: GroupingRules) {
    expectSame(
      [
        "shop::leaf()\nshop::caller()\nmain", "~shop::leaf()\nshop::caller()\nmain",
        "~std::vector<int>::at(unsigned long)\n~shop::leaf()\nshop::caller()\nmain",
      ], rules)
  }

  @Test("Trap 5: symbolicated with and without inline records", arguments: versions)
  func inlineRecords(rules: GroupingRules) {
    let plain = Build("shop::leaf()\nshop::caller()\nmain", rules: rules).signature
    let inlined = Build("~shop::leaf()\nshop::caller()\nmain", rules: rules).signature
    let without = Build("shop::caller()\nmain", rules: rules).signature
    #expect(plain.key == inlined.key)
    #expect(inlined.alternativeKeys == [without.key])
    // The function may be inlined into its caller.
    #expect(plain.alternativeKeys == [without.key])
    let helper = Build("~std::vector<int>::at(unsigned long)\nshop::caller()\nmain", rules: rules)
      .signature
    #expect(helper.key == without.key && helper.alternativeKeys.isEmpty)
  }

  @Test("Trap 6: operators, and names that were cut", arguments: versions)
  func operators(rules: GroupingRules) {
    expectApart(["operator<(A, A)\nmain", "operator<<(A, A)\nmain"], rules)
    for (name, title) in [
      ("bool shop::operator< <shop::A>(shop::A const&, shop::A const&)", "shop::operator< <T>"),
      ("std::ostream& shop::operator<< <char>(std::ostream&, shop::A const&)", nil),
      ("shop::Ref<shop::A>::operator->() const", "shop::Ref<T>::operator->"),
      ("shop::Less<shop::A>::operator()(shop::A const&) const", "shop::Less<T>::operator()"),
      ("shop::A::operator bool() const", "shop::A::operator bool"),
      ("shop::f<shop::g", "shop::f<shop::g"), ("shop::f(int", nil), ("shop::f>)]", nil),
    ] {
      let text = Build("\(name)\nmain", rules: rules).text
      #expect(text.contains("shop") || text.contains("operator"), "\(name): \(text)")
      if let title { #expect(text == title) }
    }
  }

  @Test("Trap 7: instances of a template", arguments: versions)
  func templates(rules: GroupingRules) {
    expectSame(
      [
        "f<int>(int)\nmain", "f<std::string>(std::string)\nmain",
        "void f<std::map<int, shop::A<3> > >(std::map<int, shop::A<3> >)\nmain",
      ], rules)
  }

  @Test("Trap 8: hash and scheme of Rust's names", arguments: versions)
  func rust(rules: GroupingRules) {
    expectSame(
      [
        "shop::run::h0123456789abcdef\nmain", "_ZN4shop3run17hfedcba9876543210E\nmain",
        "_RNvCs6GmmlP4bgsG_4shop3run\nmain", "shop::run\nmain",
      ], rules)
  }

  @Test("Trap 19: resume functions of one async function", arguments: versions)
  func resumeFunctions(rules: GroupingRules) {
    expectSame(
      [
        "(1) await resume partial function for MyApp.fetch() async -> ()\nMyApp.main()",
        "(2) suspend resume partial function for MyApp.fetch() async -> ()\nMyApp.main()",
        "MyApp.fetch() async -> ()\nMyApp.main()",
      ], rules)
  }

  @Test("Trap 20: numbers of blocks", arguments: versions)
  func blocks(rules: GroupingRules) {
    expectSame(
      [
        "__12-[Cart total]_block_invoke\nmain", "__12-[Cart total]_block_invoke_2\nmain",
        "__12-[Cart total]_block_invoke.31\nmain",
      ], rules)
  }

  @Test("Trap 24: numbers of what Java compilers and libraries generate", arguments: versions)
  func generatedJava(rules: GroupingRules) {
    expectSame(["com.acme.Cart$1.run", "com.acme.Cart$2.run"], rules)
    expectSame(
      [
        "com.acme.Cart.lambda$total$3", "com.acme.Cart.lambda$total$4",
        "com.sun.proxy.$Proxy4.run\ncom.acme.Cart.lambda$total$1",
        "jdk.internal.reflect.GeneratedMethodAccessor12.invoke\ncom.acme.Cart.lambda$total$1",
        "jdk.internal.reflect.GeneratedMethodAccessor4.invoke\ncom.acme.Cart.lambda$total$1",
      ], rules)
    expectSame(
      [
        "com.acme.Cart$$Lambda$14/0x0000000800c03000.run",
        "com.acme.Cart$$ExternalSyntheticLambda3.run", "com.acme.Cart$$Lambda$2.run",
      ], rules)
    expectSame(
      [
        "com.acme.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d.get\ncom.acme.Shop.open",
        "com.acme.Cart$$EnhancerBySpringCGLIB$$99aabbcc.get\ncom.acme.Shop.open",
        "com.acme.Cart_$$_javassist_74.get\ncom.acme.Shop.open",
      ], rules)
  }

  @Test("Trap 48: digits that belong to names", arguments: versions)
  func digits(rules: GroupingRules) {
    expectApart(["utf8_decode\nmain", "utf16_decode\nmain"], rules)
    for name in ["utf8_decode", "Http2Session::Close", "x86_64_emit", "md5sum"] {
      #expect(Build("\(name)\nmain", rules: rules).text == name)
      let message = Build("raise\nabort\nshop::f()\nmain", signal: "SIGABRT", rules: rules)
        .with { $0.reason.message = "\(name) is closed" }
      #expect(message.text == "assert | \(name) is closed | shop::f")
    }
  }

  @Test("Trap 51: 32 and 64 bits, and processors", arguments: versions)
  func processors(rules: GroupingRules) {
    let wide = Build("shop::f(unsigned long, char*)\nmain\n__libc_start_main", rules: rules).with {
      $0.device.architecture = .x86_64
      $0.threads[0].frames[0].address = Address(0x55_5555_5555)
      $0.reason.address = Address(0x7FFF_FFFF_FFF0)
    }
    let narrow = Build("shop::f(unsigned int, char*)\nmain\n__libc_start_main", rules: rules).with {
      $0.device.architecture = .arm
      $0.threads[0].frames[0].address = Address(0x8049_2F1)
      $0.reason.address = Address(0xBFFF_F000)
    }
    expectSame([wide, narrow])
  }

  @Test("Trap 58: another version, where the function is in another file", arguments: versions)
  func movedFunction(rules: GroupingRules) {
    let old = Build("shop::f()\nmain", rules: rules).with {
      $0.threads[0].frames[0].file = "/src/shop/cart.cpp"
      $0.threads[0].frames[0].line = 12
    }
    let new = Build("shop::f()\nmain", rules: rules).with {
      $0.app.version = "2.0"
      $0.threads[0].frames[0].file = "/src/shop/till/total.cpp"
      $0.threads[0].frames[0].line = 903
    }
    expectSame([old, new])
  }
}
