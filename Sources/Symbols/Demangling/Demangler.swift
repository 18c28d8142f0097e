internal import CDemangle

/// Linker names as people write them: C++ (Itanium and Microsoft), Swift and Rust.
///
/// Names of Objective-C are readable as they are: "not mangled" here.
///
/// Of a C++ name what optimisers and linkers put after it, such as `.cold` and `.isra.0`, follows
/// in brackets, as LLVM's tools write it: `f(int) (.cold)`. Swift's own demangler names it. Rust's
/// tools drop it, and so does this. The version of a dynamic symbol (`@@GLIBCXX_3.4`) is dropped
/// everywhere.
public enum Demangler {
  /// A longer C++ name is refused, in bytes. The longest of 1.2 million, among them those of Ceph's
  /// debug files, has 1,897; a name costs time by its length.
  public static let nameLimit = 65536
  /// A longer name of Swift or Rust is refused, in bytes. The demangler of Swift's runtime recurses
  /// once a level, and levels cost two bytes: 1.6 KB of them overflowed a stack of 512 KiB, 64 KB
  /// passed with 8 MiB.
  static let recursingNameLimit = 4096
  /// A name that stands for more than this many bytes is refused: a back reference of three bytes
  /// repeats all that went before.
  public static let outputLimit = 65536

  /// The text that `raw` stands for; `nil` when it is not mangled, is damaged, or passes a limit.
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
        // The older Rust scheme is C++'s with a hash for the last part, so it is asked first.
        if let stem = unsafe RustHash.stem(of: name), let text = unsafe rust(stem) { return text }
        return unsafe cxx(name, as: .whole)
      case .microsoft:
        return unsafe MicrosoftDemangler.demangle(name, as: .plain, limit: outputLimit)
          ?? NamespaceHash.spelledOut(bytes)
      }
    }
  }

  /// Whether `raw` begins as a mangled name does. It may still turn out to be none.
  public static func looksMangled(_ raw: String) -> Bool {
    raw.utf8.withContiguousStorageIfAvailable { unsafe ManglingScheme(of: $0) != nil }
      ?? (ManglingScheme(of: Array(raw.utf8)) != nil)
  }

  /// As LLVM's tools and the D runtime write it.
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
