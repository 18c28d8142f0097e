import TestSupport
import Testing

@testable import Grouping

@Suite("Normalised names")
struct NameTests {
  static let cxx: [(String, String)] = [
    ("static void * Allocator<MozJemallocBase>::malloc(unsigned __int64)", "Allocator<T>::malloc"),
    (
      "std::__1::vector<int, std::__1::allocator<int> >::operator[](unsigned long)",
      "std::vector<T>::operator[]"
    ),
    ("std::__ndk1::vector<int>::at(unsigned int)", "std::vector<T>::at"),
    ("std::__cxx11::basic_string<char, ...>::append(char const*)", "std::basic_string<T>::append"),
    ("app::parse(int, char const*) const", "app::parse"),
    (
      "void (anonymous namespace)::Worker::run<A>(A const&)::{lambda(int)#2}::operator()(int) const",
      "(anonymous namespace)::Worker::run<T>::{lambda}::operator()"
    ),
    ("`anonymous namespace'::helper", "(anonymous namespace)::helper"),
    ("?A0x1b2c3d4e::helper", "(anonymous namespace)::helper"),
    ("main::$_0::operator()(int)", "main::{lambda}::operator()"),
    ("main::<lambda_0a1b2c3d4e5f60718293a4b5c6d7e8f9>::operator()", "main::{lambda}::operator()"),
    ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda}::operator()"),
    ("main::'lambda'(int)::operator()(int) const", "main::{lambda}::operator()"),
    ("std::ostream& operator<< <char>(std::ostream&, Foo const&)", "operator<< <T>"),
    ("std::ostream& operator<<<char>(std::ostream&, Foo const&)", "operator<< <T>"),
    ("bool operator< <int>(A<int> const&, A<int> const&)", "operator< <T>"),
    ("bool operator<<int>(A<int> const&, A<int> const&)", "operator< <T>"),
    ("operator<(A const&, A const&)", "operator<"),
    ("operator<<(A const&, int)", "operator<<"),
    ("A::operator<=>(A const&) const", "A::operator<=>"),
    ("Foo::operator->() const", "Foo::operator->"),
    ("Foo::operator bool() const", "Foo::operator bool"),
    ("Foo::operator std::vector<int>() const", "Foo::operator std::vector<T>"),
    ("operator new[](unsigned long)", "operator new[]"),
    ("Map<Key<&Foo::operator< >, int>::find(int)", "Map<T>::find"),
    ("Sorter<(Kind)5>::sort<(a > b)>(int)", "Sorter<T>::sort<T>"),
    ("unsigned int ns::f(unsigned int (*)(int))", "ns::f"),
    ("void (*ns::handler(int))(char)", "ns::handler"),
    ("decltype (f(0)) ns::call<int>(int)", "ns::call<T>"),
    ("outer(int) const::Local::inner()", "outer::Local::inner"),
    ("non-virtual thunk to Foo::bar()", "Foo::bar"),
    ("virtual thunk to Foo::bar()", "Foo::bar"),
    ("Foo::~Foo() [deleting destructor]", "Foo::~Foo"),
    ("Foo::`scalar deleting destructor'(unsigned int)", "Foo::~Foo"),
    ("foo() [clone .cold.222]", "foo"),
    ("foo(int) (.cold)", "foo"),
    ("foo.isra.0", "foo"),
    ("foo.constprop.1.part.3", "foo"),
    ("foo.cold", "foo"),
    ("foo.llvm.1234567890", "foo"),
    ("foo[abi:cxx11](int)", "foo"),
    ("foo+0x1f", "foo"),
    ("foo + 31", "foo"),
    ("memcpy@@GLIBC_2.14", "memcpy"),
    ("__memcpy_avx_unaligned_erms", "memcpy"),
    ("__memcpy_ssse3_back", "memcpy"),
    ("__memcpy_aarch64_simd", "memcpy"),
    ("__memcpy_chk", "memcpy"),
    ("__interceptor_memcpy", "memcpy"),
    ("___interceptor_memcpy", "memcpy"),
    ("__asan_memcpy", "memcpy"),
    ("*__GI_raise", "raise"),
    ("__GI_raise", "raise"),
    ("__GI___libc_free", "free"),
    ("IA__g_object_unref", "g_object_unref"),
    ("_Draw@12", "_Draw"),
    ("@Fast@8", "Fast"),
    ("Loader::load(std::string) &&", "Loader::load"),
    ("foo<bar", "foo<bar"),
    ("foo(bar", "foo(bar"),
    ("foo>bar", "foo>bar"),
    ("utf8_decode", "utf8_decode"),
    ("Http2Session::read(int)", "Http2Session::read"),
    ("x86_64_decode", "x86_64_decode"),
    ("_ZN3app5parseEPKcj", "app::parse"),
    ("__ZN3app5parseEPKcj", "app::parse"),
    ("_Z3runi.cold", "run"),
  ]

  static let objectiveC: [(String, String)] = [
    ("-[NSView(Extras) drawRect:]", "-[NSView(Extras) drawRect:]"),
    ("-[Loader load] + 12", "-[Loader load]"),
    ("__45-[Loader loadURL:completion:]_block_invoke_2", "-[Loader loadURL:completion:]{block}"),
    ("__45-[Loader loadURL:completion:]_block_invoke.31", "-[Loader loadURL:completion:]{block}"),
    ("__45-[Loader loadURL:completion:]_block_invoke", "-[Loader loadURL:completion:]{block}"),
    ("invocation function for block in app::run(int)", "app::run{block}"),
    ("___Z3runi_block_invoke", "run{block}"),
    ("__run_block_invoke_3", "run{block}"),
  ]

  static let swift: [(String, String)] = [
    (
      "$s5MyApp14LoadControllerC4load4from5retrySb10Foundation3URLV_SitKF",
      "MyApp.LoadController.load(from:retry:)"
    ),
    (
      "MyApp.LoadController.load(from: Foundation.URL, retry: Swift.Int) throws -> Swift.Bool",
      "MyApp.LoadController.load(from:retry:)"
    ),
    (
      "closure #1 (Swift.Int) -> () in MyApp.Cart.total() -> Swift.Int",
      "closure in MyApp.Cart.total()"
    ),
    (
      "closure #2 () -> () in closure #1 () -> () in MyApp.Cart.total() -> Swift.Int",
      "closure in MyApp.Cart.total()"
    ),
    (
      "partial apply forwarder for closure #1 () -> () in MyApp.run() -> ()",
      "closure in MyApp.run()"
    ),
    ("@objc MyApp.Cart.tap(sender: Any) -> ()", "MyApp.Cart.tap(sender:)"),
    (
      "protocol witness for MyApp.Shape.area() -> Swift.Double in conformance MyApp.Circle : MyApp.Shape in MyApp",
      "MyApp.Circle.area()"
    ),
    ("specialized Swift.Array.subscript.getter : A", "Swift.Array.subscript.getter"),
    (
      "generic specialization <Swift.Int> of Swift.Array.subscript.getter : A",
      "Swift.Array.subscript.getter"
    ),
    ("merged MyApp.Cart.items.getter : [MyApp.Item]", "MyApp.Cart.items.getter"),
    ("static MyApp.Cart.make() -> MyApp.Cart", "MyApp.Cart.make()"),
    ("MyApp.(Helper in _8A9BC0DE11223344556677889900AABB).go() -> ()", "MyApp.Helper.go()"),
    (
      "(1) await resume partial function for MyApp.fetch() async throws -> Foundation.Data",
      "MyApp.fetch()"
    ),
    (
      "(2) suspend resume partial function for MyApp.fetch() async throws -> Foundation.Data",
      "MyApp.fetch()"
    ),
    (
      "variable initialization expression of static MyApp.Config.shared : MyApp.Config",
      "initializer of MyApp.Config.shared"
    ),
    ("MyApp.Cart.__deallocating_deinit", "MyApp.Cart.deinit"),
    ("MyApp.Cart.__allocating_init() -> MyApp.Cart", "MyApp.Cart.init()"),
    ("(extension in MyApp):Swift.Array.second() -> A", "MyApp.Array.second()"),
    (
      "static (extension in MyApp):Foundation.URL.home.getter : Foundation.URL",
      "MyApp.URL.home.getter"
    ),
    (
      "(extension in MyApp):Swift.Array<A where A == Swift.Int>.total(Swift.Int) -> Swift.Int",
      "MyApp.Array<T>.total(_:)"
    ),
    (
      "(extension in Swift):Swift.MutableCollection< where A: Swift.BidirectionalCollection>.reverse() -> ()",
      "Swift.MutableCollection<T>.reverse()"
    ),
    (
      "(extension in Foundation):Swift.String.trimmed(of: Swift.Int) -> Swift.String",
      "Swift.String.trimmed(of:)"
    ),
    ("RangeReplaceableCollection<>.removeLast()", "RangeReplaceableCollection<T>.removeLast()"),
    ("Sequence<>.max()", "Sequence<T>.max()"),
    // Operators.
    (
      "static MyApp.Cart.< infix(MyApp.Cart, MyApp.Cart) -> Swift.Bool", "MyApp.Cart.<(_:_:)"
    ),
    ("static Cart.< infix(_:_:)", "Cart.<(_:_:)"),
    ("static Swift.Comparable...< infix(A, A) -> Swift.Range<A>", "Swift.Comparable...<(_:_:)"),
    ("MyApp.<+> infix(Swift.Int, Swift.Int) -> Swift.Int", "MyApp.<+>(_:_:)"),
    ("<+> infix(_:_:)", "<+>(_:_:)"),
    ("static MyApp.Cart.== infix<A, B>(A, B) -> Swift.Bool", "MyApp.Cart.==(_:_:)"),
    ("static MyApp.Cart.- prefix(MyApp.Cart) -> MyApp.Cart", "MyApp.Cart.-(_:)"),
    (
      "protocol witness for static Swift.Comparable.< infix(A, A) -> Swift.Bool in conformance MyApp.Cart : Swift.Comparable in MyApp",
      "MyApp.Cart.<(_:_:)"
    ),
    (
      "protocol witness for static Comparable...< infix(_:_:) in conformance Cart",
      "Cart...<(_:_:)"
    ),
    // Functions made by the optimiser, once and twice; those with closures have unclosed brackets.
    (
      "function signature specialization <Arg[0] = Owned To Guaranteed> of MyApp.Cart.total() -> Swift.Int",
      "MyApp.Cart.total()"
    ),
    (
      "function signature specialization <Arg[0] = [Closure Propagated : $s5MyApp1fyyF, Argument Types : []> of MyApp.apply((Swift.Int) -> Swift.Int) -> Swift.Int",
      "MyApp.apply(_:)"
    ),
    (
      "function signature specialization <Arg[3] = Owned To Guaranteed and Exploded> of function signature specialization <Arg[2] = [Closure Propagated : $s5MyApp4CartV4sortSaySiGyFSbSi_SitXEfU_, Argument Types : [MyApp.Cart]> of generic specialization <Swift.UnsafeMutableBufferPointer<Swift.Int>> of (extension in Swift):Swift.MutableCollection< where A: Swift.BidirectionalCollection>._insertionSort(within: Swift.Range<A.Swift.Collection.Index>, sortedEnd: A.Swift.Collection.Index, by: (A.Swift.Sequence.Element, A.Swift.Sequence.Element) throws -> Swift.Bool) throws -> ()",
      "Swift.MutableCollection<T>._insertionSort(within:sortedEnd:by:)"
    ),
    ("inner #1 (_:) in outer(_:)", "inner(_:) in outer(_:)"),
    (
      "inner #1 (Swift.Int) -> Swift.Int in MyApp.outer(Swift.Int) -> Swift.Int",
      "inner(_:) in MyApp.outer(_:)"
    ),
    ("parseQuantity(_:)", "parseQuantity(_:)"),
    ("main.parseQuantity(Swift.String) -> Swift.Int", "main.parseQuantity(_:)"),
    ("MyApp.map<A>((A) -> A, A) -> A", "MyApp.map<T>(_:_:)"),
    ("helper #1 (Swift.Int) -> Swift.Int in MyApp.run() -> ()", "helper(_:) in MyApp.run()"),
    ("closure #2 in ", "closure"),
    (
      "closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)",
      "closure in _assertionFailure(_:_:file:line:flags:)"
    ),
    ("Swift runtime failure: Index out of range", "Swift runtime failure: Index out of range"),
  ]

  static let rust: [(String, String)] = [
    ("core::option::expect_failed::h0123456789abcdef", "core::option::expect_failed"),
    ("_ZN4core6option13expect_failed17h0123456789abcdefE", "core::option::expect_failed"),
    ("_RNvNtCsgEmfK2I1SDS_4core6option13expect_failed", "core::option::expect_failed"),
    (
      "<alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index",
      "<alloc::vec::Vec<T> as core::ops::index::Index<T>>::index"
    ),
    ("app::run::{{closure}}", "app::run::{closure}"),
    ("app::run::{closure#0}", "app::run::{closure}"),
    ("app::parse::<u32>", "app::parse<T>"),
    ("app::parse<u32>", "app::parse<T>"),
    ("<app::Cart>::total", "app::Cart::total"),
    ("<app::Cart<u32>>::total", "app::Cart<T>::total"),
    (
      "core::ops::function::FnOnce::call_once{{vtable.shim}}",
      "core::ops::function::FnOnce::call_once"
    ),
  ]

  static let managed: [(String, String)] = [
    ("com.acme.Cart$$Lambda$14/0x0000000800c03000.run", "com.acme.Cart$$Lambda.run"),
    ("com.acme.Cart$$ExternalSyntheticLambda3.run", "com.acme.Cart$$Lambda.run"),
    ("com.acme.Cart.lambda$total$3", "com.acme.Cart.lambda$total"),
    ("com.acme.Cart$1.run", "com.acme.Cart$.run"),
    ("com.acme.Cart.access$1200", "com.acme.Cart.access$"),
    (
      "jdk.internal.reflect.GeneratedMethodAccessor12.invoke",
      "jdk.internal.reflect.GeneratedMethodAccessor.invoke"
    ),
    ("com.acme.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d.get", "com.acme.Cart$$Proxy.get"),
    ("com.acme.Cart_$$_javassist_74.get", "com.acme.Cart$$Proxy.get"),
    ("com.sun.proxy.$Proxy42.get", "com.sun.proxy.$Proxy.get"),
    ("com.acme.MainKt$main$1.invokeSuspend", "com.acme.MainKt$main$.invokeSuspend"),
    ("java.base/java.util.ArrayList.get", "java.util.ArrayList.get"),
    ("com.acme.Cart.run(Cart.java:12)", "com.acme.Cart.run"),
    ("Acme.Cart.<LoadAsync>d__12.MoveNext()", "Acme.Cart.LoadAsync"),
    ("Acme.Cart.<>c__DisplayClass3_0.<Run>b__1(Int32 x)", "Acme.Cart.Run.{lambda}"),
    ("Acme.Cart.Run(Int32 x, String y)", "Acme.Cart.Run"),
    ("main.(*Cart).Total.func1.2", "main.(*Cart).Total.{closure}"),
    ("main.(*Cart).Total", "main.(*Cart).Total"),
    ("Object.foo [as bar]", "foo"),
    ("async Promise.all (index 0)", "Promise.all"),
    ("chunk.3fa9c1d2.js", "chunk.js"),
  ]

  @Test("Names that become meaningless when normalised stay distinct")
  func namesOfNothing() {
    func text(_ name: String) -> String { ReportBuilder("\(name)\nmain").text }
    // Obfuscators name functions with invisible characters.
    let hidden = ["\u{200B}", "\u{202E}\u{E000}", "\u{E001}", "Foo.\u{E000}", "Foo.\u{E001}"]
    #expect(Set(hidden.map(text)).count == hidden.count)
    #expect(text("\u{E001}") == "\\uE001")
    let brackets = ["<::>", "<a ::>", "<b ::>", "<\u{200B}>", "<a::b ::>"]
    #expect(Set(brackets.map(text)).count == brackets.count)
    for name in hidden + brackets {
      #expect(!text(name).contains("\u{FFFD}") && text(name).contains { $0.isLetter || $0 == ":" })
    }
  }

  @Test(
    "Each language's spellings become one",
    arguments: cxx + objectiveC + swift + rust + managed)
  func normalises(raw: String, token: String) {
    #expect(NameNormaliser.normalise(raw).text == token)
  }

  @Test(
    "An empty name is not a name",
    arguments: [
      "", " ", "?", "??", "<unknown>", "<redacted>", "<name omitted>", "<null>",
      "<unknown in x.dll>", "0x1234", "\u{0}\u{1}",
    ])
  func nameless(raw: String) {
    #expect(NameNormaliser.normalise(raw).isEmpty)
  }

  @Test("A normalised name does not change", arguments: cxx + objectiveC + swift + rust + managed)
  func stable(raw: String, token: String) {
    let again = NameNormaliser.normalise(token).text
    #expect(again == token || again == NameNormaliser.normalise(again).text)
  }

  @Test("Malicious names end, stay short and can be printed")
  func hostile() {
    let units = [
      "<", ">", "(", ")", "{", "'", "`", "operator<", "::", "a<", "f(*", " [x]", ".part.1",
      "closure #1 in ", "partial apply of ", "\u{202E}", "\u{0}", "é", "$$Lambda$1",
      "_block_invoke",
      "<a as ", "(extension in ", "\u{1F600}", "[abi:", "+0x1", "@@",
    ]
    for unit in units {
      for name in [
        String(repeating: unit, count: 3_000), "a" + String(repeating: unit, count: 1_000) + "b",
        "-[" + String(repeating: unit, count: 500),
      ] {
        let token = NameNormaliser.normalise(name)
        #expect(token.count <= SigningLimits.tokenBytes)
        for scalar in token.text.unicodeScalars {
          #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
          #expect(!(0x202A...0x202E).contains(scalar.value))
        }
      }
    }
  }

  @Test("Each prefix and hundreds of mutations of each name end", arguments: cxx + swift + rust)
  func damage(raw: String, token: String) {
    let bytes = Array(raw.utf8)
    for length in bytes.indices {
      _ = NameNormaliser.normalise(String(decoding: bytes[..<length], as: UTF8.self))
    }
    let marks = Array("<>()[]{}:'`*&$#.@ -+_\"0aZ\u{0}".utf8)
    var mutator = Mutator(seed: UInt64(bytes.count), .bytes(marks), changes: 2...2)
    for _ in 0..<200 {
      let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
      #expect(NameNormaliser.normalise(text).count <= SigningLimits.tokenBytes)
    }
  }

  @Test(
    "Images lose folder and version",
    arguments: [
      ("/usr/lib/libgtk-3.so.0.2404.29", "libgtk-3.so"), ("KERNELBASE.dll", "kernelbase.dll"),
      ("libGLX_nvidia.so.470.82", "libGLX_nvidia.so"), ("libicucore.66.dylib", "libicucore.dylib"),
      ("C:\\App\\Main.EXE", "main.exe"), ("My App", "My App"), ("chunk.3fa9c1d2.js", "chunk.js"),
      ("libcompiz_core.so.ABI-20120603", "libcompiz_core.so"),
    ])
  func images(raw: String, token: String) {
    #expect(ImageOwners.normalise(raw).text == token)
  }
}
