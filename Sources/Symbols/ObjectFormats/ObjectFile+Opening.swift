public import Bytes

extension ObjectFile {
  /// How many bytes of a file ``isObject(_:)`` looks at.
  public static let headCount = 64

  /// Whether `bytes` begin like a file that ``objects(in:)`` reads, or refuses by name. The first
  /// ``headCount`` bytes are enough.
  public static func isObject(_ bytes: ByteView) -> Bool {
    switch FileMagic(of: bytes) {
    case .elf, .elfCore, .machO, .machOCore, .universalMachO, .windowsProgram, .pdb, .oldPDB,
      .portablePDB, .webAssembly:
      true
    default: BreakpadFile.isHeader(bytes) || RefusedFormat.isRefused(bytes)
    }
  }

  /// The objects in a file: one, or a slice for each architecture of a universal file. A damaged
  /// slice among sound ones is left out; ``slices(in:)`` reports it.
  ///
  /// - Throws: ``ParseError`` when the bytes are not an object file or nothing in them can be read.
  public static func objects(in bytes: ByteView) throws(ParseError) -> [ObjectFile] {
    let slices = try slices(in: bytes)
    let objects = slices.compactMap { try? $0.get() }
    if objects.isEmpty, case .failure(let error) = slices.first { throw error }
    return objects
  }

  /// The objects in a file, each with its outcome.
  ///
  /// - Throws: ``ParseError`` when the bytes are not an object file, a universal file's own header is
  ///   damaged, or a slice does not lie in it.
  public static func slices(
    in bytes: ByteView
  ) throws(ParseError) -> [Result<ObjectFile, ParseError>] {
    if bytes.starts(with: ELFHeader.magic) {
      return [.success(ObjectFile(try ELFFile(parsing: bytes)))]
    }
    if bytes.starts(with: WasmFile.magic) {
      return [.success(ObjectFile(try WasmFile(parsing: bytes)))]
    }
    if MachHeader.isHeader(bytes) { return [.success(ObjectFile(try MachOFile(parsing: bytes)))] }
    if PEHeader.isHeader(bytes) { return [.success(ObjectFile(try PEFile(parsing: bytes)))] }
    if PDBFile.isHeader(bytes) { return [.success(ObjectFile(try PDBFile(parsing: bytes)))] }
    if BreakpadFile.isHeader(bytes) {
      return [.success(ObjectFile(try BreakpadFile(parsing: bytes)))]
    }
    if let refusal = RefusedFormat.error(for: bytes) { throw refusal }
    guard FatHeader.isHeader(bytes) else {
      throw ParseError(.notRecognised, in: "object file", at: 0)
    }
    let slices = try FatHeader(parsing: bytes).slices
    // Where the end of the file is missing, the slices before it are not all that it had.
    for slice in slices {
      _ = try bytes.slice(at: slice.offset, count: slice.size, of: "cut-off universal file")
    }
    return slices.map { slice in
      do throws(ParseError) {
        let view = try bytes.slice(at: slice.offset, count: slice.size, of: "universal file")
        return .success(ObjectFile(try MachOFile(parsing: view)))
      } catch {
        return .failure(error)
      }
    }
  }
}
