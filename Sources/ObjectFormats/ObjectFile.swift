public import Bytes
internal import Compression
public import CrashModel

/// One ELF file, or one Mach-O file (a slice of a universal one): its headers, and its sections and
/// symbols for the asking.
///
/// Making one costs the headers only; the bytes are not copied.
public struct ObjectFile: Sendable {
  /// The bytes of the object; in a universal file those of the slice.
  public let bytes: ByteView
  public let container: ObjectContainer
  public let architecture: Architecture
  public let endianness: Endianness
  /// The size of an address in bytes, 4 or 8.
  public let addressSize: Int
  public let kind: ObjectKind
  /// The id that reports name. An ELF file without a build id has one made from its code, as Breakpad
  /// does; `nil` when there is nothing to make it from.
  public let debugID: DebugID?
  /// The whole build id, or the UUID; `nil` when the file carries none.
  public let codeID: CodeID?
  /// The separate debug file that a stripped ELF file names.
  public let debugLink: DebugLink?
  /// The file that dwz moved shared debug information to.
  public let alternateLink: AlternateLink?
  /// The linked address of what reports call the image's load address: the page of an ELF file's
  /// first loaded segment, the `__TEXT` segment of a Mach-O file.
  public let imageBase: UInt64
  public let sections: [ObjectSection]
  /// Linked addresses where code may lie: sorted, apart.
  public let executableRanges: [Range<UInt64>]
  private let tables: Tables
  /// Another file of the same build that has the symbols.
  private var companion: Companion?

  /// Where the symbols come from.
  private enum Tables: Sendable {
    case elf(ELFFile)
    case machO(MachOFile)
  }

  /// A box, since a value cannot hold one of its own kind.
  private final class Companion: Sendable {
    let object: ObjectFile

    init(_ object: ObjectFile) { self.object = object }
  }

  /// This object with the symbol table of `other`, a file of the same build: for debug information
  /// that was separated without the symbols.
  public func borrowingSymbols(of other: ObjectFile) -> ObjectFile {
    var copy = self
    copy.companion = Companion(other)
    return copy
  }

  init(_ file: ELFFile) {
    let buildID = file.buildID
    bytes = file.bytes
    container = .elf
    architecture = file.architecture
    endianness = file.endianness
    addressSize = file.addressSize
    kind = file.kind
    debugID = file.debugID(buildID: buildID)
    codeID = buildID.map { CodeID($0) }
    debugLink = file.debugLink
    alternateLink = file.alternateLink
    imageBase = file.imageBase
    sections = file.objectSections
    executableRanges = file.executableRanges
    tables = .elf(file)
  }

  init(_ file: MachOFile) {
    bytes = file.bytes
    container = .machO
    architecture = file.architecture
    endianness = file.header.endianness
    addressSize = file.header.addressSize
    kind = file.kind
    debugID = file.uuid.map { DebugID(uuid: $0) }
    codeID = file.uuid.map { CodeID($0) }
    debugLink = nil
    alternateLink = nil
    imageBase = file.imageBase
    sections = file.objectSections
    executableRanges = file.executableRanges
    tables = .machO(file)
  }

  /// The header tables of an ELF file, `nil` for another.
  var elfFile: ELFFile? {
    if case .elf(let file) = tables { return file }
    return nil
  }

  /// The functions that the file's symbol tables name; empty for a stripped file.
  ///
  /// - Parameter addresses: Where the table is to tell what it is: the others may be left out. All
  ///   are told without it.
  /// - Throws: ``ParseError`` for a table that lies outside the file.
  /// - Complexity: O(n) in the number of symbols and the length of their names.
  public func symbolTable(near addresses: [UInt64]? = nil) throws(ParseError) -> SymbolTable {
    if let companion { return try companion.object.symbolTable(near: addresses) }
    return switch tables {
    case .elf(let file):
      try file.symbolTable(executableRanges: executableRanges, near: addresses)
    case .machO(let file): try file.symbolTable()
    }
  }

  /// Whether ``symbolTable()`` would name a function.
  ///
  /// - Complexity: O(n) in the number of symbols at worst, which is when there is none.
  public var hasSymbols: Bool {
    if let companion { return companion.object.hasSymbols }
    return switch tables {
    case .elf(let file): file.hasFunctions(executableRanges: executableRanges)
    case .machO(let file): file.hasFunctions
    }
  }

  /// Whether the file holds DWARF units.
  public var hasDebugInfo: Bool { section(named: "debug_info")?.hasContents == true }
}
