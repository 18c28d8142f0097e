import Bytes
import Demangling
import TestSupport
import Testing

@Suite("Names of Microsoft's compiler")
struct MicrosoftTests {
  /// Output of llvm-undname, recorded by Golden/microsoft.sh.
  static func golden() throws -> [(name: String, llvm: String)] {
    let path = GoldenFolder().path + "/microsoft.txt"
    return try ByteView(reading: path, limit: 1 << 24).text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(parts.count == 2)
      return (String(parts[0]), String(parts[1]))
    }
  }

  /// Names that llvm-undname refuses or misreads.
  static let beyond = [
    // The function pointer to a lambda returns `auto`.
    "??B<lambda_5>@@QEBAP6A?A_PXZXZ":
      "public: auto (__cdecl * __cdecl <lambda_5>::operator auto (__cdecl *)(void)(void) const)(void)",
    "??B<lambda_5>@@QBEP6A?A_PXZXZ":
      "public: auto (__cdecl * __thiscall <lambda_5>::operator auto (__cdecl *)(void)(void) const)"
      + "(void)",
    "??B<lambda_1>@f@WithLambda@@QEBAP6A?A_PH@ZXZ":
      "public: auto (__cdecl * __cdecl WithLambda::f::<lambda_1>::operator auto (__cdecl *)(int)"
      + "(void) const)(int)",
    "??B<lambda_1>@f@WithLambda@@QBEP6A?A_PH@ZXZ":
      "public: auto (__cdecl * __thiscall WithLambda::f::<lambda_1>::operator auto (__cdecl *)(int)"
      + "(void) const)(int)",
    // Arguments that are values of classes and of floating point.
    "?t10@@YAXU?$OfPoint@$2UPoint@@H00H0?1@@@U?$OfText@$2UText@@3D0GB@@0GC@@0A@@0A@@@@@@"
      + "U?$OfDouble@$BDPPIAAAAAAAAAAAA@@@U?$Null@$0A@@@U?$OfEnum@$0A@@@U?$OfEnum@$0?2@@@Z":
      "void __cdecl t10(struct OfPoint<struct Point{1, -2}>, "
      + "struct OfText<struct Text{{97, 98, 0, 0}}>, struct OfDouble<1.5>, struct Null<0>, "
      + "struct OfEnum<0>, struct OfEnum<-3>)",
    // Two templates with the same name and the same printed arguments have two numbers.
    "?t17@@YAXU?$Same@H$$V@one@@U?$Same@H@two@@UX@2@UY@4@0@Z":
      "void __cdecl t17(struct one::Same<int>, struct two::Same<int>, struct one::X, struct two::Y, "
      + "struct one::Same<int>)",
    "?t18@@YAXU?$Same@UShape@@$$V@one@@UY@two@@U?$Same@UShape@@@4@UX@2@PEAU54@PEAU34@PEAU62@@Z":
      "void __cdecl t18(struct one::Same<struct Shape>, struct two::Y, "
      + "struct two::Same<struct Shape>, struct one::X, struct two::Same<struct Shape> *, "
      + "struct two::Y *, struct one::X *)",
    "?t18@@YAXU?$Same@UShape@@$$V@one@@UY@two@@U?$Same@UShape@@@4@UX@2@PAU54@PAU34@PAU62@@Z":
      "void __cdecl t18(struct one::Same<struct Shape>, struct two::Y, "
      + "struct two::Same<struct Shape>, struct one::X, struct two::Same<struct Shape> *, "
      + "struct two::Y *, struct one::X *)",
  ]

  @Test("The full form is llvm-undname's, byte for byte")
  func agrees() throws {
    let names = try Self.golden()
    #expect(names.count > 800)
    for (name, llvm) in names {
      #expect(Demangler.undecorate(name) == Self.beyond[name] ?? llvm, "\(name)")
    }
    let refused = names.filter { $0.llvm.isEmpty || Self.beyond[$0.name] != nil }.map(\.name)
    #expect(Set(refused) == Set(Self.beyond.keys))
  }

  /// Names that Clang does not write, or not for these targets. The texts are llvm-undname's unless a comment
  /// says otherwise.
  @Test(
    "The full form of rarer names",
    arguments: [
      ("?x@@3HA", "int x"),
      ("?f@A@@AEAAXXZ", "private: void __cdecl A::f(void)"),
      ("?f@A@@GBA@EAAXXZ", "[thunk]: private: void __cdecl A::f`adjustor{16}'(void)"),
      (
        "?f@A@@$R4BA@7PPPPPPPM@A@EAAXXZ",
        "[thunk]: public: virtual void __cdecl A::f`vtordispex{16, 8, -4, 0}'(void)"
      ),
      ("??__Ex@@YAXXZ", "void __cdecl `dynamic initializer for 'x''(void)"),
      (
        "??__F?x@A@@2HA@@YAXXZ",
        "void __cdecl `dynamic atexit destructor for `public: static int A::x''(void)"
      ),
      ("??_R3A@@8", "A::`RTTI Class Hierarchy Descriptor'"),
      ("??_R4A@@6B@", "const A::`RTTI Complete Object Locator'"),
      ("??_SA@@6B@", "const A::`local vftable'"),
      ("?f@@YMXXZ", "void __clrcall f(void)"), ("?f@@YOXXZ", "void __eabi f(void)"),
      ("?f@@YSXXZ", "void __attribute__((__swiftcall__)) f(void)"),
      ("?f@@$$J0YAXXZ", "extern \"C\" void __cdecl f(void)"),
      ("?f@@YAX?foo@@@Z", "void __cdecl f(foo)"),
      ("??$f@$MH05@@YAXXZ", "void __cdecl f<6>(void)"),
      ("??$f@$$YB@@@@YAXXZ", "void __cdecl f<B>(void)"),
      (
        "??@0123456789abcdef0123456789abcdef@??_R4@",
        "??@0123456789abcdef0123456789abcdef@??_R4@"
      ),
      (".?AW4Colour@@", "enum Colour `RTTI Type Descriptor Name'"),
      ("?x@?1??f@@YAHXZ@4HA", "int `int __cdecl f(void)'::`2'::x"),
      ("?x@?1??main@@9@4HA", "int `extern \"C\" main'::`2'::x"),
      ("??_B?1??f@@YAHXZ@51", "`int __cdecl f(void)'::`2'::`local static guard'{2}"),
      // LLVM takes the mark of ARM64EC for a type.
      ("?f@@$$hYAHPEAH@Z", "int __cdecl f(int *)"),
      // LLVM drops what follows.
      ("?f@@YAXXZ.cold", "void __cdecl f(void) (.cold)"),
    ])
  func rarer(name: String, text: String) {
    #expect(Demangler.undecorate(name) ?? "" == text)
  }

  @Test(
    "A name is printed as names of other compilers are",
    arguments: [
      ("?run@@YAXXZ", "run()"), ("?x@ns@@3HA", "ns::x"),
      ("?parse@app@@YAPEBDPEBDI@Z", "app::parse(char const*, unsigned int)"),
      ("?area@Shape@@UEBANAEBV1@_K@Z", "Shape::area(Shape const&, unsigned long long) const"),
      ("?move@Shape@@UEHAAXXZ", "Shape::move() &&"),
      ("?nothrow@@YAXP6AXX_E@Z", "nothrow(void (*)() noexcept)"),
      ("?nothrow@@YAXX_E", "nothrow()"),
      ("??0?$A@H@@QEAA@H@Z", "A<int>::A(int)"), ("??1Shape@@UEAA@XZ", "Shape::~Shape()"),
      ("??BShape@@QEBA_NXZ", "Shape::operator bool() const"),
      ("??__K_km@@YANO@Z", "operator\"\" _km(long double)"),
      ("??_GShape@@UEAAPEAXI@Z", "Shape::`scalar deleting destructor'(unsigned int)"),
      ("??_7Shape@@6B@", "Shape::`vftable'"),
      ("??_7D@@6BBase@@@", "D::`vftable'{for `Base'}"),
      ("?f@D@@W7EAAXXZ", "[thunk]: D::f`adjustor{8}'()"),
      ("??_9Base@@$BA@AA", "[thunk]: Base::`vcall'{0, {flat}}"),
      ("?f@?A0x12345678@@YAXXZ", "(anonymous namespace)::f()"),
      ("??R<lambda_1>@?0??run@@YAXH@Z@QEBA@XZ", "run(int)::<lambda_1>::operator()() const"),
      ("?x@?1??run@@YAXH@Z@4HA", "run(int)::x"),
      ("??__Ex@@YAXXZ", "`dynamic initializer for 'x''()"),
      ("??__F?x@A@@2HA@@YAXXZ", "`dynamic atexit destructor for 'A::x''()"),
      ("??_C@_04FDAFPLJM@demo?$AA@", "\"demo\""),
      (
        "?arrays@@YAXPEAY02HAEAY03H@Z", "arrays(int (*) [3], int (&) [4])"
      ),
      ("?m@@YAXPEQS@@HP8S@@EBAXH@Z@Z", "m(int S::*, void (S::*)(int) const)"),
      ("?q@@YAXQEAHPECH@Z", "q(int* const, int volatile*)"),
      (
        "??$f@V?$vector@HV?$allocator@H@std@@@std@@@@YAXXZ",
        "f<std::vector<int, std::allocator<int>>>()"
      ),
      ("?f@@YAXP6AP6AXD@ZH@Z@Z", "f(void (* (*)(int))(char))"),
      (".?AVruntime_error@std@@", "std::runtime_error"),
      ("?run@@YAXXZ.cold", "run() (.cold)"),
    ])
  func plain(name: String, text: String) {
    #expect(Demangler.demangle(name) == text)
  }

  @Test(
    "The hash of an anonymous namespace in a PDB's readable name is spelled out",
    arguments: [
      ("?A0xc3a0617d::crash", "(anonymous namespace)::crash"),
      (
        "app::?A0xC3A0617D::Cart<?A0x1::Item>::add",
        "app::(anonymous namespace)::Cart<(anonymous namespace)::Item>::add"
      ),
      ("?A0x::crash", nil), ("?A0xzz::crash", nil), ("app::?A0xc3a0617d", nil), ("a?b::c", nil),
      ("?A0x12\0::crash", nil),
    ])
  func namespaceHash(name: String, text: String?) {
    #expect(Demangler.demangle(name) == text)
  }

  @Test(
    "The form of llvm-symbolizer omits everything before the name",
    arguments: [
      ("?area@Shape@@UEBANAEBV1@_K@Z", "Shape::area(class Shape const &, unsigned __int64) const"),
      ("?x@@3HA", "int x"), ("?f@@YAXP6AHD@Z@Z", "f(int (*)(char))"),
      ("?x@?1??f@@YAHXZ@4HA", "int `int __cdecl f(void)'::`2'::x"),
    ])
  func symbolizer(name: String, text: String) {
    #expect(Demangler.undecorate(name, as: .symbolizer) == text)
  }

  @Test(
    "The short name of a function",
    arguments: [
      ("?area@Shape@@UEBANXZ", "area"), ("??$f@H@A@@QEAAXXZ", "f<int>"), ("??0A@@QEAA@XZ", "A"),
      ("??1?$A@H@@QEAA@XZ", "~A"), ("??6A@@QEAAXH@Z", "operator<<"), ("?f@D@@W7EAAXXZ", "f"),
      ("??R<lambda_1>@?0??run@@YAXXZ@QEBA@XZ", "operator()"), ("?", "?"), ("??", "??"),
    ])
  func short(name: String, text: String) {
    #expect(Demangler.shortName(name) == text)
  }

  @Test(
    "Anything else is left alone",
    arguments: [
      "?", "??", "???", "??????", "? ??:0", "?run", "?run@", "?run@@", "?run@@Y", "?run@@YAXXZjunk",
      "?x@@3HAjunk", "??@0123456789abcdef0123456789abcdef@", ".text", ".", ".?", ".?A", "?0",
      "?9@@YAXXZ",
      "?f@@YAX9@Z", "??0@@QEAA@XZ", "??B@@3HA", "?f@@YAXY?0@Z", "?f@@YAXYPPPPPPPP@@Z", "?x@?1??",
      "@name@4", "_name@8", "name@@16",
    ])
  func leaves(raw: String) {
    #expect(Demangler.demangle(raw) == nil)
  }

  /// Each of them nests or repeats without end.
  static let hostile: [(what: String, name: String)] = {
    func deep(_ prefix: String, _ count: Int, _ suffix: String = "") -> String {
      "?f@@YAX" + String(repeating: prefix, count: count) + suffix
    }
    // Each parameter repeats the one before it twice.
    var doubling = "?f@@YAXP6AXHH@Z"
    for level in 0..<9 { doubling += "P6AX\(level)\(level)@Z" }
    var templates = "?f@@YAXU?$A@HH@@"
    for level in 0..<9 { templates += "U?$A@U\(level)@U\(level)@@@" }
    return [
      ("pointers", deep("PEA", 20_000, "H@Z")), ("references", deep("AEA", 20_000, "H@Z")),
      ("functions", deep("P6AX", 15_000)), ("results", deep("P6A", 20_000)),
      ("arrays", deep("Y00", 20_000, "H@Z")), ("members", deep("PEQA@@", 10_000, "H@Z")),
      ("templates", deep("U?$A@", 12_000)), ("names", "?" + String(repeating: "a@", count: 30_000)),
      ("closed names", "?" + String(repeating: "a@", count: 30_000) + "@YAXXZ"),
      ("local scopes", "?x" + String(repeating: "@?0??f", count: 9_000)),
      (
        "closed local scopes",
        "?x@" + String(repeating: "?0??f@", count: 5_000)
          + String(repeating: "@YAXXZ@", count: 5_000) + "4HA"
      ),
      ("anonymous namespaces", "?x@" + String(repeating: "?A@", count: 20_000)),
      ("symbols", "??$f" + String(repeating: "@$1??$f", count: 9_000)),
      ("values", "??$f@" + String(repeating: "$2UA@@2UA@@", count: 5_000)),
      ("values in values", "??$f@$2" + String(repeating: "UA@@2", count: 12_000)),
      ("initialisers", "?" + String(repeating: "?__E", count: 15_000)),
      ("initialisers of members", String(repeating: "??__E?", count: 10_000)),
      ("conversions", "??$?B" + String(repeating: "U?$?B", count: 10_000)),
      ("digits", "?x@@3Y" + String(repeating: "P", count: 60_000)),
      ("dimensions", "?x@@3YPPPP@" + String(repeating: "0", count: 60_000) + "HA"),
      ("parameters", deep("H", 60_000, "@Z")),
      ("string", "??_C@_0PPPPPP@@" + String(repeating: "?$AA", count: 10_000) + "@"),
      ("wide string", "??_C@_1PPPPP@A@" + String(repeating: "?$CG?$DK", count: 7_000) + "@"),
      ("doubling", doubling + "@Z"), ("doubling templates", templates + "@Z"),
      ("bases", "??_7A@@6B" + String(repeating: "A@@", count: 20_000)),
    ]
  }()

  @Test("Malicious names end on a small stack, within the limit", arguments: hostile)
  func hostileNames(what: String, name: String) throws {
    var texts: [String?] = []
    let stack = StackUse.measure { texts = [Demangler.demangle(name), Demangler.undecorate(name)] }
    let bytes = try #require(stack)
    #expect(bytes <= StackUse.most, "\(what)")
    #expect(texts.count == 2)
    for text in texts {
      #expect((text?.utf8.count ?? 0) <= Demangler.outputLimit, "\(what)")
    }
  }

  @Test("Every prefix and many mutations of the names end within the limit")
  func damage() throws {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@@@@$$??_abc".utf8)
    var mutator = Mutator(seed: 1, .bytes(letters), changes: 1...4)
    var ended = 0
    for (name, _) in try Self.golden() where name.utf8.count < 300 {
      let bytes = Array(name.utf8)
      for length in 1..<bytes.count {
        let cut = String(decoding: bytes[..<length], as: UTF8.self)
        #expect((Demangler.undecorate(cut)?.utf8.count ?? 0) <= Demangler.outputLimit)
      }
      for _ in 0..<20 {
        let changed = String(
          decoding: mutator.mutated(bytes, in: 1..<bytes.count), as: UTF8.self)
        for text in [Demangler.demangle(changed), Demangler.undecorate(changed)] {
          #expect((text?.utf8.count ?? 0) <= Demangler.outputLimit)
        }
        ended += 1
      }
    }
    #expect(ended > 10_000)
  }
}
