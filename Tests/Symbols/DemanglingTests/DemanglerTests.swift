import Demangling
import TestSupport
import Testing

@Suite("Demangler")
struct DemanglerTests {
  /// Output of llvm-cxxfilt, rustc's own backtraces and swift-demangle (without sugar).
  static let names: [(String, String)] = [
    ("_Z3runi", "run(int)"),
    ("__Z3runi", "run(int)"),
    ("_ZN3app5parseEPKcj", "app::parse(char const*, unsigned int)"),
    ("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int>>::size() const"),
    ("_Z3runi.cold", "run(int) (.cold)"),
    ("_Z3runi.isra.0.cold.1", "run(int) (.isra.0.cold.1)"),
    ("_ZSt9terminatev@@GLIBCXX_3.4", "std::terminate()"),
    ("_ZZ4mainENK3$_0clEi", "main::$_0::operator()(int) const"),
    ("_ZN4core6option13expect_failed17h0123456789abcdefE", "core::option::expect_failed"),
    ("_ZN4core6option13expect_failed17h0123456789abcdefE.llvm.12", "core::option::expect_failed"),
    ("_RINvCs6GmmlP4bgsG_1r5parsemEB2_", "r::parse::<u32>"),
    (
      "_RNvMs5_NtNtCsgEmfK2I1SDS_4core3fmt8buildersNtB5_9DebugList5entry",
      "<core::fmt::builders::DebugList>::entry"
    ),
    ("$s4main13parseQuantityySiSSF", "main.parseQuantity(Swift.String) -> Swift.Int"),
    ("_$s4main13parseQuantityySiSSF", "main.parseQuantity(Swift.String) -> Swift.Int"),
    ("$S4main13parseQuantityySiSSF", "main.parseQuantity(Swift.String) -> Swift.Int"),
    ("_T04main13parseQuantitySiSSF", "main.parseQuantity(Swift.String) -> Swift.Int"),
    ("_TtC4main3Foo", "main.Foo"),
    ("_TtCV4main5Outer5Inner", "main.Outer.Inner"),
    ("_TtCs12_SwiftObject", "Swift._SwiftObject"),
    ("_Dmain", "D main"),
    ("__Dmain", "D main"),
    (
      "$s4main5fetchyyYaFTY0_",
      "(1) suspend resume partial function for main.fetch() async -> ()"
    ),
    ("$s4main5fetchyyYaFTQ1_", "(2) await resume partial function for main.fetch() async -> ()"),
  ]

  /// Output of LLVM 21's llvm-symbolizer with `--functions=short`, from debug information of rustc 1.95 and
  /// swiftc 6.3.
  static let shortNames: [(String, String)] = [
    ("_RINvCs6GmmlP4bgsG_1r5parsemEB2_", "parse<u32>"),
    ("_RNvMs5_NtNtCsgEmfK2I1SDS_4core3fmt8buildersNtB5_9DebugList5entry", "entry"),
    ("_RNvCsfLfy6EI15iL_7___rustc11___rdl_alloc", "__rdl_alloc"),
    ("_ZN4core6option13expect_failed17h0123456789abcdefE", "expect_failed"),
    ("$s4main13parseQuantityySiSSF", "parseQuantity"),
    ("$s2s05ShapeV4area5scaleS2i_tF", "area"),
    ("$s2s05ShapeV4halfSivg", "half.get"),
    ("$s2s05ShapeV4halfSivM", "half.modify"),
    ("$s2s05ShapeV4halfSivM.resume.0", "half.modify"),
    ("$s2s05ShapeV1poiyA2C_ACtFZ", "+"),
    ("$s2s01KCfD", "deinit"), ("$s2s01KCACycfC", "init"), ("$s2s05ShapeVyS2icig", "subscript.get"),
    ("$s4main5fetchyyYaFTY0_", "fetch"),
    ("$s2s13genySSxlFAA5ShapeV_Tg5", "gen"),
    ("$s2s05OuterO2InV4deep1x_xx_xtSjRzlFSi_Tg5Tf4nnd_n", "deep"),
    ("_Dmain", "D main"), ("main", "main"),
  ]

  @Test("The short name is that of the function alone", arguments: shortNames)
  func shortens(raw: String, text: String) {
    #expect(Demangler.shortName(raw) == text)
  }

  @Test("A mangled name is demangled", arguments: names)
  func demangles(raw: String, text: String) {
    #expect(Demangler.demangle(raw) == text)
  }

  @Test(
    "Anything else is left alone",
    arguments: [
      "", "_", "$", "main", "_start", "__libc_start_main", "-[Loader load]", "?run@@YAXX", "_Z",
      "_ZN", "$s", "_R", "_RNv", "$not", "_Zebra", "run(int)", "_$_", "__", "_Z3run\0i",
    ])
  func leaves(raw: String) {
    #expect(Demangler.demangle(raw) == nil)
  }

  @Test(
    "A Swift name that ends where a constant should begin is refused: the runtime would not end",
    arguments: ["$s1a1byyFTf4p", "$s1a1byyFTf4np", "$s8T]2ft\u{fffd}Tf1p"])
  func endlessConstants(raw: String) {
    #expect(Demangler.demangle(raw) == nil)
  }

  @Test("Deep nesting and endless repetition are refused at once")
  func hostile() {
    func cxx(levels: Int) -> String {
      // f(A<int>, A<that, that>, A<that, that>, ...): each argument is twice as long.
      let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
      var name = "_Z1f1AIiiE"
      for level in 0..<levels {
        let back =
          "S" + (level < 36 ? String(digits[level]) : "1" + String(digits[level - 36])) + "_"
        name += "S_I" + back + back + "E"
      }
      return name
    }
    var names = [cxx(levels: 60)]
    names.append("$s1m1fyyAA1PVyS2iG" + String(repeating: "_ADyA2EG", count: 200) + "tF")
    names.append("$s1m1fyySi_SitSg" + String(repeating: "_AA_AAtSg", count: 200) + "tF")
    names.append("$s1m1fyy" + String(repeating: "Say", count: 1_300))
    names.append("$s1m1fyy" + String(repeating: "Say", count: 1_300) + "Si")
    names.append(
      "$s1m1fyy" + String(repeating: "Say", count: 1_000) + "Si"
        + String(repeating: "G", count: 1_000)
        + "F")
    names.append("_Z1f" + String(repeating: "P", count: 4_000) + "i")
    names.append("_Z" + String(repeating: "N", count: 4_000))
    names.append("_R" + String(repeating: "I", count: 4_000))
    names.append("_RNvC1a" + String(repeating: "Y", count: 4_000))
    names.append("_Z1f" + String(repeating: "i", count: 200_000))
    for name in names {
      #expect((Demangler.demangle(name)?.utf8.count ?? 0) <= Demangler.outputLimit)
    }
    #expect(Demangler.demangle(cxx(levels: 3))?.hasPrefix("f(A<int, int>, ") == true)
    #expect(Demangler.demangle(names[0]) == nil)
    #expect(Demangler.demangle(names[1]) == nil)
  }

  @Test("Each prefix and a thousand mutations of each name end", arguments: names)
  func damage(raw: String, text: String) {
    let bytes = Array(raw.utf8)
    for length in 0..<bytes.count {
      _ = Demangler.demangle(String(decoding: bytes[..<length], as: UTF8.self))
    }
    var mutator = Mutator(
      seed: UInt64(bytes.count), .bytes(Array(0x20..<0x7f)), changes: 3...3)
    for _ in 0..<1_000 {
      let output = Demangler.demangle(String(decoding: mutator.mutated(bytes), as: UTF8.self))
      #expect((output?.utf8.count ?? 0) <= Demangler.outputLimit)
    }
  }

  /// Names of Swift, Rust and D that nest as deep as their length allows.
  static let nested: [(what: String, name: String)] = [
    ("Swift arrays", "$s1a1b1xy" + String(repeating: "Say", count: 20_000) + "SiG_tF"),
    ("Swift tuples", "$s1a1byy" + String(repeating: "Si_", count: 20_000) + "tF"),
    ("Swift functions", "$s1a1byy" + String(repeating: "yc", count: 20_000) + "F"),
    ("Swift contexts", "$s1a" + String(repeating: "1bV", count: 20_000) + "N"),
    ("Swift optionals", "$s1a1b1xySi" + String(repeating: "Sg", count: 20_000) + "_tF"),
    ("first Swift", "_TtC" + String(repeating: "C", count: 20_000)),
    ("Rust paths", "_R" + String(repeating: "Nv", count: 20_000) + "C1a1b"),
    ("Rust references", "_RIC1a" + String(repeating: "R", count: 20_000) + "uE"),
    ("Rust tuples", "_RIC1a" + String(repeating: "T", count: 20_000) + "uE"),
    ("Rust impls", "_R" + String(repeating: "M", count: 20_000) + "C1a"),
    ("D types", "_D1a" + String(repeating: "A", count: 20_000) + "i"),
    ("D pointers", "_D1a" + String(repeating: "P", count: 20_000) + "i"),
    ("D templates", "_D1a" + String(repeating: "__T1bT", count: 10_000) + "iZ"),
  ]

  @Test("Names that nest end on a small stack, within the limit", arguments: nested)
  func nesting(what: String, name: String) throws {
    for length in [name.utf8.count, 2_000, 500] {
      var text: String?
      let part = String(decoding: name.utf8.prefix(length), as: UTF8.self)
      let stack = StackUse.measure { text = Demangler.demangle(part) ?? Demangler.shortName(part) }
      let bytes = try #require(stack)
      #expect(bytes <= StackUse.most, "\(what)")
      #expect((text?.utf8.count ?? 0) <= Demangler.outputLimit, "\(what)")
    }
  }
}
