/// Additional suffixes of version 2 of the rules.
///
/// Sources: GCC's `clone_function_name` and `create_artificial_label` users (`isra`, `constprop`, `part`, `cold`,
/// `simdclone`, `_omp_fn`, `tm_clone`), LLVM's passes (`llvm` of ThinLTO, `cfi` and `$` with a module's hash of
/// LowerTypeTests, `specialized`, `extracted`, `__part`, `memprof`, `Tgm` of global function merging, `resume`,
/// `destroy` and `cleanup` of coroutines), Apple's `sys/cdefs.h` and `libplatform` (`$NOCANCEL`, `$VARIANT$`),
/// Microsoft's exception handling (`$catch$0`) and its ARM64EC ABI (`$exit_thunk`), Go's linker (`abi0`).
extension NameMarks {
  /// Marks that are never names of functions.
  private static let certain: Set<NameBytes> = set([
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
  static func isSecondMark(_ word: ArraySlice<UInt8>, of name: NameBytes, at dot: Int) -> Bool {
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

  /// The name without prefixes and suffixes of the symbol table, which must be removed before it can be
  /// demangled.
  static func secondRemoved(from name: NameBytes) -> NameBytes {
    var name = name
    for prefix: StaticString in ["symbol stub for: ", "DYLD-STUB$$"] where name.has(prefix) {
      name = name.from(prefix.utf8CodeUnitCount)
    }
    // A function's code, and not its descriptor, in the ABI of 64-bit PowerPC.
    if name.at(0) == UInt8(ascii: "."), name.count > 1,
      name.dropFirst().allSatisfy({ $0.isIdentifier })
    {
      name = name.from(1)
    }
    if name.at(0) == UInt8(ascii: "`"), let inner = functionOfFunclet(name) { name = inner }
    while let end = secondCut(name), end > 0, end < name.count { name.cut(at: end) }
    return name
  }

  private static func secondCut(_ name: NameBytes) -> Int? {
    if name.ends(with: "@plt") { return name.count - 4 }
    if let dollar = name.lastIndex(of: UInt8(ascii: "$")), dollar > 0 {
      let tail = name[(dollar + 1)...]
      // The hash of the module to which a static function belonged.
      if tail.count == 32, tail.allSatisfy({ $0.isHexDigit }) { return dollar }
      for suffix: StaticString in [
        "$NOCANCEL", "$UNIX2003", "$INODE64", "$DARWIN_EXTSN", "$exit_thunk", "$entry_thunk",
        "$iexit_thunk", "$stub", "$plt",
      ] where name.has(suffix, at: dollar) && dollar + suffix.utf8CodeUnitCount == name.count {
        return dollar
      }
      let before = name[..<dollar].lastIndex(of: UInt8(ascii: "$"))
      if let before, before > 0 {
        if name.has("$VARIANT$", at: before) { return before }
        if !tail.isEmpty, tail.allSatisfy({ $0.isDigit }) {
          for funclet: StaticString in ["$catch$", "$filt$", "$fin$", "$dtor$", "$unwind$"]
          where name.has(funclet, at: before) && before + funclet.utf8CodeUnitCount == dollar + 1 {
            return before
          }
        }
      }
    }
    // `llvm` with the hexadecimal hash that older versions give it.
    if let mark = name.findLast(".llvm."), mark + 6 < name.count,
      name[(mark + 6)...].allSatisfy({ $0.isHexDigit })
    {
      return mark
    }
    for mark: StaticString in [".cfi", ".cfi_jt"] where name.ends(with: mark) {
      return name.count - mark.utf8CodeUnitCount
    }
    // A mark of a mangled name that its demangler does not know.
    if name.has("_Z") || name.has("_R"), let dot = name.lastIndex(of: UInt8(ascii: ".")),
      certain.contains(NameBytes(name[(dot + 1)...]))
    {
      return dot
    }
    return nil
  }

  /// The function that a handler belongs to, from `` `Cart::total'::`1'::catch$0 ``.
  private static func functionOfFunclet(_ name: NameBytes) -> NameBytes? {
    guard let dollar = name.lastIndex(of: UInt8(ascii: "$")), dollar + 1 < name.count,
      name[(dollar + 1)...].allSatisfy({ $0.isDigit }), let close = name.find("'::`")
    else { return nil }
    return NameBytes(name[1..<close])
  }
}
