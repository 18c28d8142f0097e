public import Bytes
internal import Compression
public import CrashModel
public import Identifiers

/// One ELF, Mach-O (a slice of a universal one), PE, PDB or Breakpad symbol file, or one WebAssembly module:
/// its headers, and its sections and symbols on demand.
///
/// Creating one costs the headers only; the bytes are not copied.
public struct ObjectFile: Sendable {
  /// The bytes of the object; in a universal file those of its slice.
  public let bytes: ByteView
  public let container: ObjectContainer
  public let architecture: Architecture
  public let endianness: Endianness
  /// The size of an address in bytes, 4 or 8.
  public let addressSize: Int
  public let kind: ObjectKind
  /// The id that reports use. For an ELF file without a build id one is derived from its code, as in
  /// Breakpad; `nil` when there is nothing to derive it from.
  public let debugID: DebugID?
  /// The whole build id, the UUID, or time stamp and size of a PE file; `nil` when the file contains none.
  public let codeID: CodeID?
  /// The linked address of what reports call the image's load address: the page of an ELF file's first loaded
  /// segment, the `__TEXT` segment of a Mach-O file, the image base of a PE file; 0 for PDBs and Breakpad
  /// symbols, whose addresses are relative to it. A WebAssembly module's linked addresses count from its code
  /// section and those of reports from the start of the file, so its base is before address 0: differences
  /// are taken modulo 2^64.
  public private(set) var imageBase: UInt64
  public let sections: [ObjectSection]
  /// Linked addresses that may contain code: sorted, without overlaps. Empty where the file does not give
  /// them.
  public private(set) var executableRanges: [Range<UInt64>]
  private let tables: Tables
  /// Another file of the same build that has the symbols.
  private var symbolSource: SymbolSource?

  /// The origin of the symbols.
  private enum Tables: Sendable {
    case elf(ELFFile)
    case machO(MachOFile)
    case pe(PEFile)
    case pdb(PDBFile)
    case breakpad(BreakpadFile)
    case wasm(WasmFile)
  }

  /// The parts of the file listed by its headers.
  var filedParts: [FiledPart] {
    switch tables {
    case .elf(let file): file.filedParts
    case .machO(let file): file.filedParts
    case .pe(let file): file.filedParts
    case .pdb(let file): file.filedParts
    case .breakpad, .wasm: []
    }
  }

  /// The distribution's package that it was installed from, where the linker recorded one.
  public var package: ImagePackage? {
    if case .elf(let file) = tables { file.package } else { nil }
  }

  /// Whether this is a 32-bit program for Windows, whose C compilers decorate names.
  package var isDecoratingC: Bool {
    architecture == .i386 && (container == .pe || container == .pdb)
  }

  /// Whether C function names in a program for Windows begin with an underscore: in 32-bit symbols, but
  /// not in the names that a library without a symbol table exports.
  package var hasUnderscores: Bool {
    guard architecture == .i386 else { return false }
    switch tables {
    case .pe(let file): return file.header.symbolCount > 0
    case .pdb: return true
    default: return false
    }
  }

  /// A box, since a value cannot hold one of its own kind.
  private final class SymbolSource: Sendable {
    let object: ObjectFile

    init(_ object: ObjectFile) { self.object = object }
  }

  /// This object with the symbol table of `other`, a file of the same build: for debug information that was
  /// separated without the symbols. The location of the code in a WebAssembly module, which reports count
  /// from, is taken from the module itself.
  public func borrowingSymbols(of other: ObjectFile) -> ObjectFile {
    var copy = self
    copy.symbolSource = SymbolSource(other)
    if container == .wasm, other.container == .wasm {
      copy.imageBase = other.imageBase
      copy.executableRanges = other.executableRanges
    }
    return copy
  }

  /// Whether the symbols are taken from another file.
  package var borrowsSymbols: Bool { symbolSource != nil }

  /// Whether the file cannot map the addresses of reports to its own, and so needs the program: a WebAssembly
  /// module whose code was stripped.
  public var needsProgram: Bool {
    container == .wasm && executableRanges.isEmpty
  }

  init(_ file: ELFFile) {
    let buildID = file.buildID ?? file.supplementaryID
    bytes = file.bytes
    container = .elf
    architecture = file.architecture
    endianness = file.endianness
    addressSize = file.addressSize
    kind = file.kind
    debugID = file.debugID(buildID: buildID)
    codeID = buildID.map { CodeID($0) }
    imageBase = file.imageBase
    sections = ObjectSection.believed(file.objectSections, fileBytes: file.bytes.count)
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
    imageBase = file.imageBase
    sections = ObjectSection.believed(file.objectSections, fileBytes: file.bytes.count)
    executableRanges = file.executableRanges
    tables = .machO(file)
  }

  init(_ file: PEFile) {
    bytes = file.bytes
    container = .pe
    architecture = file.architecture
    endianness = .little
    addressSize = file.header.addressSize
    kind = file.kind
    debugID = file.codeView?.debugID
    codeID = file.codeID
    imageBase = file.header.imageBase
    sections = ObjectSection.believed(file.objectSections, fileBytes: file.bytes.count)
    executableRanges = file.executableRanges
    tables = .pe(file)
  }

  init(_ file: PDBFile) {
    bytes = file.container.bytes
    container = .pdb
    architecture = file.architecture
    endianness = .little
    addressSize = file.addressSize
    kind = .debugFile
    debugID = file.debugID
    codeID = nil
    imageBase = 0
    sections = file.objectSections
    executableRanges = file.executableRanges
    tables = .pdb(file)
  }

  init(_ file: BreakpadFile) {
    bytes = file.bytes
    container = .breakpad
    architecture = file.architecture
    endianness = .little
    addressSize = file.addressSize
    kind = .debugFile
    debugID = file.debugID
    codeID = file.codeID
    imageBase = 0
    sections = []
    executableRanges = []
    tables = .breakpad(file)
  }

  init(_ file: WasmFile) {
    bytes = file.bytes
    container = .wasm
    architecture = file.architecture
    endianness = .little
    addressSize = file.addressSize
    kind = file.kind
    debugID = file.debugID
    codeID = file.codeID
    imageBase = file.imageBase
    sections = ObjectSection.believed(file.objectSections, fileBytes: file.bytes.count)
    executableRanges = file.executableRanges
    tables = .wasm(file)
  }

  // MARK: The container, for queries that only one of them supports; `nil` for an object of another

  package var elf: ELFFile? {
    if case .elf(let file) = tables { return file }
    return nil
  }

  package var machO: MachOFile? {
    if case .machO(let file) = tables { return file }
    return nil
  }

  package var pe: PEFile? {
    if case .pe(let file) = tables { return file }
    return nil
  }

  package var pdb: PDBFile? {
    if case .pdb(let file) = tables { return file }
    return nil
  }

  package var wasm: WasmFile? {
    if case .wasm(let file) = tables { return file }
    return nil
  }

  // MARK: Symbols

  /// The functions in the file's symbol tables; empty for a stripped file.
  ///
  /// - Parameter addresses: The addresses that will be looked up: other symbols may be left out. Default: all
  ///   are included.
  /// - Throws: ``ParseError`` for a table outside the file.
  /// - Complexity: O(n) in the number of symbols and the length of their names.
  public func symbolTable(near addresses: [UInt64]? = nil) throws(ParseError) -> SymbolTable {
    if let symbolSource { return try symbolSource.object.symbolTable(near: addresses) }
    return switch tables {
    case .elf(let file):
      try file.symbolTable(executableRanges: executableRanges, near: addresses)
    case .machO(let file): try file.symbolTable()
    case .pe(let file): try file.symbolTable()
    case .pdb(let file): try file.symbolTable()
    case .breakpad(let file): file.symbolTable()
    case .wasm(let file): file.symbolTable()
    }
  }

  /// The linked address of a variable of an ELF file; `nil` for other files, and where the tables do not
  /// contain it.
  ///
  /// - Throws: ``ParseError`` for a table outside the file.
  /// - Complexity: O(n) in the number of symbols.
  public func address(ofVariable name: String) throws(ParseError) -> UInt64? {
    guard case .elf(let file) = tables else { return nil }
    return try file.address(ofSymbol: name)
  }

  /// The ends of functions whose sizes ``symbolTable(near:)`` lacks; `nil` where no unwind table gives them.
  ///
  /// - Complexity: O(1) for ELF, O(n log n) in the number of functions for PE.
  public var functionBounds: FunctionBounds? {
    if let bounds = symbolSource?.object.functionBounds { return bounds }
    switch tables {
    case .elf where kind != .relocatable:
      return ELFUnwindIndex(reading: self).map(FunctionBounds.init)
    case .pe(let file): return PEFunctionBounds(reading: file).bounds(from: imageBase)
    default: return nil
    }
  }

  /// Whether ``symbolTable()`` would contain a function.
  ///
  /// - Complexity: O(n) in the number of symbols at worst, which is when there is none.
  public var hasSymbols: Bool {
    if let symbolSource { return symbolSource.object.hasSymbols }
    return switch tables {
    case .elf(let file): file.hasFunctions(executableRanges: executableRanges)
    case .machO(let file): file.hasFunctions
    case .pe(let file): file.hasFunctions
    case .pdb(let file): file.hasFunctions
    case .breakpad(let file): file.hasFunctions
    case .wasm(let file): file.hasFunctions
    }
  }

  /// Whether the file has lines, or may: DWARF units, modules of a PDB, or the lines of a
  /// Breakpad file.
  ///
  /// - Complexity: O(n) in the size of a Breakpad file at worst, otherwise O(number of sections or modules).
  public var hasDebugInfo: Bool {
    if case .pdb(let file) = tables { return file.hasDebugInfo }
    if case .breakpad(let file) = tables { return file.hasLines }
    return section(named: "debug_info")?.hasContents == true
  }
}
