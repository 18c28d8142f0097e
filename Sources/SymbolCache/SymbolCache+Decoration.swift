internal import Bytes
internal import CrashModel

extension SymbolCache {
  /// Whether a frame's name is one that Microsoft's compilers hand to a linker, and its source name the
  /// one that a person would look for: `?area@Shape@@QBEHXZ` for a function of C++, and on 32-bit x86
  /// `_main`, `_wait@4` or `@swap@8` for one of C, by how it is called.
  ///
  /// A name of C++ is not taken apart: what a PDB calls the function that begins at its address is its
  /// name.
  ///
  /// Source: Microsoft, "Decorated names".
  public func isDecorated(_ frame: CacheFrame) -> Bool {
    let symbol = text(frame.name)
    let source = text(frame.sourceName)
    guard symbol.byteCount > 1, source.byteCount > 0 else { return false }
    let first = unsafe symbol.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
    if first == UInt8(ascii: "?") { return true }
    guard first == UInt8(ascii: "_") || first == UInt8(ascii: "@"), architecture == .i386,
      symbol.matches(from: 1, count: source.byteCount, in: source, from: 0)
    else { return false }
    let end = source.byteCount + 1
    if end == symbol.byteCount { return true }
    return unsafe symbol.unsafeLoad(fromByteOffset: end, as: UInt8.self) == UInt8(ascii: "@")
  }
}
