/// The format of an object file.
public enum ObjectContainer: String, Sendable, CaseIterable {
  case elf, machO = "macho", pe, pdb, wasm
  /// Breakpad's text.
  case breakpad
}

/// The purpose of an object file. An unknown kind keeps its number.
public struct ObjectKind: Hashable, Sendable, CustomStringConvertible {
  /// One word in lower case.
  public let description: String

  public init(_ name: String) { description = name }

  /// A program.
  public static let executable = ObjectKind("executable")
  /// A shared library, framework or plug-in.
  public static let library = ObjectKind("library")
  /// Debug information separate from the code: a dSYM, or ELF sections without the code's bytes.
  public static let debugFile = ObjectKind("debug file")
  /// Output of a compiler before linking; its addresses are not final.
  public static let relocatable = ObjectKind("relocatable")
  /// The memory of a process.
  public static let core = ObjectKind("core")
}
