import Demangling
import TestSupport
import Testing

@Suite("C++ names")
struct ItaniumTests {
  @Test("A name is printed as LLVM prints it", arguments: ItaniumNames.all)
  func agrees(name: String, text: String) {
    #expect(Demangler.demangle(name) == text)
    #expect(Demangler.demangle("_" + name) == text)
  }

  /// Output of c++filt, with the spelling of LLVM.
  @Test(
    "Names that LLVM leaves as they are",
    arguments: [
      ("_ZGTtNKSt9exceptionD1Ev", "transaction clone for std::exception::~exception() const"),
      (
        "_ZZN1A3runEvENK3$_0clIiEEDaT_", "auto A::run()::$_0::operator()<int>(int) const"
      ),
      (
        "_ZNK4llvm8ArrayRefImEcvSt6vectorImSaImEEEv",
        "llvm::ArrayRef<unsigned long>::operator std::vector<unsigned long, "
          + "std::allocator<unsigned long>>() const"
      ),
      (
        "_ZSt4log2IiEN9__gnu_cxx11__enable_ifIXsrSt12__is_integerIT_E7__valueEdE6__typeES3_",
        "__gnu_cxx::__enable_if<std::__is_integer<int>::__value, double>::__type std::log2<int>(int)"
      ),
      (
        "_ZSt10_ConstructINSt10filesystem4pathEIS1_EEvPT_DpOT0_",
        "void std::_Construct<std::filesystem::path, std::filesystem::path>"
          + "(std::filesystem::path*, std::filesystem::path&&)"
      ),
      ("_Z1fDF32x", "f(_Float32x)"),
    ])
  func beyond(name: String, text: String) {
    #expect(Demangler.demangle(name) == text)
  }

  @Test("A Rust name of the older scheme may contain full stops")
  func rust() {
    let name = "_ZN36_$LT$T$u20$as$u20$core..any..Any$GT$7type_id17h360f288438c34f40E"
    #expect(Demangler.demangle(name) == "<T as core::any::Any>::type_id")
    #expect(Demangler.demangle(name + ".llvm.12") == "<T as core::any::Any>::type_id")
  }

  @Test(
    "The short name of a function",
    arguments: [
      ("_ZNK5Shape4areaEi", "area"), ("_ZN1A1fIiEEvT_", "f<int>"), ("_ZN1AC2Ei", "A"),
      ("_ZN1AD0Ev", "~A"), ("_ZN1AlsEi", "operator<<"), ("_ZN1AcvN1n1BEEv", "operator n::B"),
      ("_ZN1A1fB5cxx11Ev", "f"), ("_ZZ4mainENKUliE_clEi", "operator()"), ("_Z3runi.cold", "run"),
      ("_ZThn16_N1A1fEv", "non-virtual thunk to A::f()"), ("main", "main"), ("_Z", "_Z"),
    ])
  func short(name: String, text: String) {
    #expect(Demangler.shortName(name) == text)
  }

  /// Each of them overflowed the stack or filled the memory of some demangler.
  static let hostile: [(what: String, name: String)] = {
    func deep(_ prefix: String, _ count: Int, _ suffix: String = "") -> String {
      "_Z1f" + String(repeating: prefix, count: count) + suffix
    }
    let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    var bomb = "_Z1f1AIiiE"
    for level in 0..<60 {
      let back = "S" + (level < 36 ? digits[level] : "1" + digits[level - 36]) + "_"
      bomb += "S_I" + back + back + "E"
    }
    // Packs without elements print nothing, however often they are repeated.
    var empty = "_Z1fIJEEv1AIDpT_DpT_E"
    for level in 1..<60 {
      let back = "S" + (level < 36 ? digits[level] : "1" + digits[level - 36]) + "_"
      empty += "S0_IDp" + back + "Dp" + back + "E"
    }
    var chain = "_Z1fiP1A"
    for level in 0..<8_000 { chain += "PS" + String(level, radix: 36, uppercase: true) + "_" }
    return [
      ("pointers", deep("P", 30_000, "i")), ("references", deep("R", 30_000, "i")),
      ("functions", deep("PF", 20_000)), ("arrays", deep("A1_", 20_000, "i")),
      ("members", deep("M1A", 20_000)), ("qualifiers", deep("PK", 20_000, "i")),
      ("vendor", deep("U1a", 20_000, "i")), ("protocols", deep("U11objcproto1A", 4_000, "i")),
      ("templates", deep("1AI", 20_000)),
      ("packs", "_Z1fI" + String(repeating: "J", count: 30_000)),
      ("expressions", "_Z1fIX" + String(repeating: "ng", count: 30_000)),
      ("calls", "_Z1fIX" + String(repeating: "cl", count: 30_000)),
      ("braces", "_Z1fIXtl1A" + String(repeating: "di1a", count: 15_000)),
      ("lists", "_Z1fIX" + String(repeating: "il", count: 30_000)),
      ("local", "_Z" + String(repeating: "Z", count: 30_000)),
      ("thunks", "_Z" + String(repeating: "Th1_", count: 15_000)),
      ("nested", "_ZN" + String(repeating: "1a", count: 30_000) + "E"),
      ("tags", "_Z1f" + String(repeating: "B1a", count: 20_000)),
      ("modules", "_Z" + String(repeating: "W1a", count: 20_000) + "1f"),
      ("lambdas", "_Z1f" + String(repeating: "Ul", count: 30_000)),
      ("declarations", "_Z1fI" + String(repeating: "Tp", count: 30_000)),
      ("template templates", "_Z1fI" + String(repeating: "Tt", count: 30_000)),
      ("decltype", deep("DT", 30_000)),
      ("conversions", "_Zcv" + String(repeating: "cv", count: 9_000)),
      ("conversion in itself", "_ZN1AcvT_IT_EEv"), ("unresolved", deep("DTsr1AI", 9_000)),
      ("doubling", bomb), ("doubling of nothing", empty), ("chain", chain),
      ("repeated scopes", "_Z1fN" + String(repeating: "1aI", count: 9_000)),
      ("numbers", "_Z99999999999999999999a"), ("substitution", "_Z1fSZZZZZZZZZZZZZZZZZZZZZ_"),
      ("parameter", "_Z1fIiEvT99999999999999999999_"),
    ]
  }()

  @Test("Malicious names end on a small stack, within the limit", arguments: hostile)
  func hostileNames(what: String, name: String) throws {
    var text: String?
    let stack = StackUse.measure { text = Demangler.demangle(name) }
    let bytes = try #require(stack)
    #expect(bytes <= StackUse.most, "\(what)")
    #expect((text?.utf8.count ?? 0) <= Demangler.outputLimit, "\(what)")
  }

  @Test("Every prefix and many mutations of the names end within the limit")
  func damage() {
    let letters = Array("0123456789STNEILXJKVPRODvijlmcbtuswpaegrnqCdfMFAUBHQW_yZ".utf8)
    var mutator = Mutator(seed: 1, .bytes(letters), changes: 1...4)
    var ended = 0
    for (name, _) in ItaniumNames.all {
      let bytes = Array(name.utf8)
      for length in 2..<bytes.count {
        _ = Demangler.demangle(String(decoding: bytes[..<length], as: UTF8.self))
      }
      for _ in 0..<40 {
        let changed = mutator.mutated(bytes, in: 2..<bytes.count)
        let text = Demangler.demangle(String(decoding: changed, as: UTF8.self))
        #expect((text?.utf8.count ?? 0) <= Demangler.outputLimit)
        ended += 1
      }
    }
    #expect(ended == 40 * ItaniumNames.all.count)
  }
}
