internal import CDemangle

/// Linker names as people write them: C++ (Itanium), Swift and Rust.
///
/// Names of Objective-C are readable as they are, and names of Microsoft's C++ compiler are not
/// handled: both are "not mangled" here.
///
/// The stem of a name is demangled without what optimisers and linkers put behind it. Of a C++ name
/// `.cold`, `.isra.0` and the like follow in brackets, as LLVM's tools write them: `f(int) (.cold)`.
/// Swift's own demangler names them. Rust's tools drop them, and so does this. The version of a
/// dynamic symbol (`@@GLIBCXX_3.4`) is dropped everywhere.
public enum Demangler {
  /// A longer name is refused, in bytes. The demangler of Swift's runtime recurses once a level, and
  /// levels cost two bytes: 1.6 KB of them overflowed a stack of 512 KiB, 64 KB passed with 8 MiB.
  public static let nameLimit = 4096
  /// A name that stands for more than this many bytes is refused: a back reference of three bytes
  /// repeats all that went before.
  public static let outputLimit = 65536

  /// What `raw` stands for; `nil` when it is not mangled, is damaged, or passes a limit.
  ///
  /// Threads that call this need a stack of 8 MiB.
  ///
  /// - Complexity: O(length) for a name that is not mangled: the first bytes decide.
  public static func demangle(_ raw: String) -> String? {
    var raw = raw
    return raw.withUTF8 { bytes in
      guard let scheme = unsafe ManglingScheme(of: bytes) else { return nil }
      guard bytes.count <= nameLimit, unsafe !bytes.contains(0) else { return nil }
      let name = unsafe UnsafeBufferPointer(rebasing: bytes[scheme.skipped...])
      switch scheme.language {
      case .swift: return unsafe SwiftDemangler.demangle(name)
      case .rust: return unsafe library(MangledStem(name).stem, DEMANGLE_RUST)
      case .cxx: return unsafe cxx(name)
      }
    }
  }

  /// Whether `raw` begins as a mangled name does. It may still turn out to be none.
  public static func looksMangled(_ raw: String) -> Bool {
    raw.utf8.withContiguousStorageIfAvailable { unsafe ManglingScheme(of: $0) != nil }
      ?? (ManglingScheme(of: Array(raw.utf8)) != nil)
  }

  private static func cxx(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    let parts = unsafe MangledStem(name)
    // The older Rust scheme is C++'s with a hash for the last part, so it is asked first.
    if unsafe RustHash.ends(parts.stem), let text = unsafe library(parts.stem, DEMANGLE_RUST) {
      return text
    }
    guard let text = unsafe library(parts.stem, DEMANGLE_CXX) else { return nil }
    return parts.suffix.isEmpty
      ? text : unsafe "\(text) (\(String(decoding: parts.suffix, as: UTF8.self)))"
  }

  static func library(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: demangle_kind
  ) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { input in
      for index in 0..<name.count { unsafe input[index] = CChar(bitPattern: name[index]) }
      unsafe input[name.count] = 0
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: outputLimit) { output in
        let count = unsafe demangle_into(
          input.baseAddress, kind, output.baseAddress, output.count)
        guard count > 0 else { return nil }
        let written = unsafe UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(output)[..<count])
        return unsafe String(decoding: written, as: UTF8.self)
      }
    }
  }
}
