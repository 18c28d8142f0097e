internal import CDemangle

/// Demangles linkage names: C++ (Itanium and Microsoft), Swift and Rust.
///
/// Names of Objective-C are readable as they are and count as not mangled.
///
/// Suffixes that optimisers and linkers append to a C++ name, such as `.cold` and `.isra.0`, follow
/// in brackets, as in LLVM's tools: `f(int) (.cold)`. Swift's own demangler shows them. Rust's
/// tools drop them, and so does this. The version of a dynamic symbol (`@@GLIBCXX_3.4`) is always
/// dropped.
public enum Demangler {
  /// The longest C++ name that is accepted, in bytes. The longest of 1.2 million, including those
  /// of Ceph's debug files, has 1,897; the cost of a name grows with its length.
  public static let nameLimit = 65536
  /// The longest name of Swift or Rust that is accepted, in bytes. The demangler of Swift's runtime
  /// recurses once per level, and a level costs two bytes: 1.6 KB of them overflowed a stack of 512
  /// KiB, 64 KB passed with 8 MiB.
  static let recursingNameLimit = 4096
  /// The longest demangled text that is accepted, in bytes: a back reference of three bytes repeats
  /// everything before it.
  public static let outputLimit = 65536

  /// The demangled text of `raw`; `nil` when it is not mangled, is damaged, or exceeds a limit.
  ///
  /// Threads that call this need a stack of 8 MiB.
  ///
  /// - Complexity: O(length) for a name that is not mangled: the first bytes decide.
  public static func demangle(_ raw: String) -> String? {
    var raw = raw
    return raw.withUTF8 { bytes in
      guard let scheme = unsafe ManglingScheme(of: bytes) else {
        return unsafe NamespaceHash.spelledOut(bytes)
      }
      guard unsafe !bytes.contains(0), bytes.count <= scheme.nameLimit else { return nil }
      let name = unsafe UnsafeBufferPointer(rebasing: bytes[scheme.skipped...])
      switch scheme.language {
      case .swift: return unsafe SwiftDemangler.demangle(name)
      case .rust: return unsafe rust(MangledStem(name).stem)
      case .dMain: return dMain
      case .cxx:
        // The older Rust scheme is C++'s with a hash for the last part, so it is tried first.
        if let stem = unsafe RustHash.stem(of: name), let text = unsafe rust(stem) { return text }
        return unsafe cxx(name, as: .whole)
      case .microsoft:
        return unsafe MicrosoftDemangler.demangle(name, as: .plain, limit: outputLimit)
          ?? NamespaceHash.spelledOut(bytes)
      }
    }
  }

  /// Whether `raw` begins like a mangled name. It may still turn out not to be one.
  public static func looksMangled(_ raw: String) -> Bool {
    raw.utf8.withContiguousStorageIfAvailable { unsafe ManglingScheme(of: $0) != nil }
      ?? (ManglingScheme(of: Array(raw.utf8)) != nil)
  }

  /// The spelling of LLVM's tools and the D runtime.
  static let dMain = "D main"

  static func cxx(
    _ name: UnsafeBufferPointer<UInt8>, as style: ItaniumDemangler.Style
  ) -> String? {
    let end = unsafe name.firstIndex(of: UInt8(ascii: "@")) ?? name.count
    return unsafe ItaniumDemangler.demangle(
      UnsafeBufferPointer(rebasing: name[..<end]), as: style, limit: outputLimit)
  }

  /// Both schemes of Rust, by libiberty.
  static func rust(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    guard name.count <= recursingNameLimit else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { input in
      for index in 0..<name.count { unsafe input[index] = CChar(bitPattern: name[index]) }
      unsafe input[name.count] = 0
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: outputLimit) { output in
        let count = unsafe rust_demangle_into(input.baseAddress, output.baseAddress, output.count)
        guard count > 0 else { return nil }
        let written = unsafe UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(output)[..<count])
        return unsafe String(decoding: written, as: UTF8.self)
      }
    }
  }
}
