/// Words after a full stop that compilers and linkers add.
///
/// Sources: GCC's `clone_function_name` and `create_artificial_label` users (`isra`, `constprop`, `part`, `cold`,
/// `simdclone`, `_omp_fn`, `tm_clone`), LLVM's passes (`llvm` of ThinLTO, `cfi` of LowerTypeTests, `specialized`,
/// `extracted`, `__part`, `memprof`, `Tgm` of global function merging, `resume`, `destroy` and `cleanup` of
/// coroutines), Go's linker (`abi0`).
extension NameMarks {
  /// Marks that are never names of functions.
  static let certain: Set<NameBytes> = set([
    "isra", "constprop", "llvm", "lto_priv", "localalias", "__uniq", "cfi", "cfi_jt", "kcfi",
    "simdclone",
    "Tgm", "argprom", "argelim", "retelim", "memprof", "dfsan", "_omp_fn", "_omp_cpyfn", "_loopfn",
    "__part",
    "tm_clone", "omp_outlined", "omp_outlined_debug__", "ifunc", "abi0",
  ])

  /// Marks that are also words: a mark before a number, after a C function or after C++ text. Methods of
  /// other languages are named so: `Player.resume`, `Cart.clone`.
  private static let words: Set<NameBytes> = set([
    "part", "cold", "clone", "warm", "hot", "unlikely", "resume", "destroy", "cleanup", "noalloc",
    "actor",
    "specialized", "lto", "outlined", "extracted", "split", "resolver",
  ])

  /// Words that are marks after a plain C function, without a number.
  private static let afterIdentifier: Set<NameBytes> = set([
    "cold", "warm", "hot", "unlikely", "specialized", "lto", "outlined", "extracted",
  ])

  private static func set(_ texts: [String]) -> Set<NameBytes> {
    Set(texts.map { NameBytes($0.utf8) })
  }

  /// Whether `word`, which is at `dot` in `name`, is a mark.
  static func isMark(_ word: ArraySlice<UInt8>, of name: NameBytes, at dot: Int) -> Bool {
    let word = NameBytes(word)
    if certain.contains(word) { return true }
    guard words.contains(word) else { return false }
    if dot + 1 + word.count < name.count { return true }
    let base = NameBytes(name[..<dot])
    if base.find("::") != nil || base.last == UInt8(ascii: ")") || base.has("_Z") { return true }
    guard afterIdentifier.contains(word) else { return false }
    // `total.part.0.isra.0.cold`
    let parts = base.split(separator: UInt8(ascii: "."), maxSplits: 2)
    return parts.allSatisfy { $0.allSatisfy { $0.isIdentifier || $0 == UInt8(ascii: ".") } }
      && (parts.count < 2 || certain.contains(NameBytes(parts[1]))
        || words.contains(NameBytes(parts[1])))
  }
}
