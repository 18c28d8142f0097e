public import Bytes
internal import Compression
internal import DWARF
internal import DebugInfo
internal import Files
internal import Glibc
internal import Identifiers
internal import ObjectFormats
public import ObjectStorage

/// Indexes the debug files below some paths and on S3; see ``SymbolIndexFormat``.
///
/// Each file is closed before the next is opened: there may be more than a process may have mapped.
public struct SymbolIndexWriter {
  private let scanner: DebugFileScanner
  private var head = SymbolIndexHead()
  private var files: [IndexedFile] = []
  private var keys: [Key] = []
  private var lines: [String] = []
  private var tree = FileTree()
  /// The paths of programs beside which debug files may lie.
  private var programs: [String] = []
  private var seenObjects: Set<ObjectAddress> = []
  /// The objects that others are read with.
  private var objectsBeside: Set<ObjectAddress> = []

  private struct Key: Comparable {
    let hash: UInt64
    let file: UInt32

    static func < (left: Key, right: Key) -> Bool {
      (left.hash, left.file) < (right.hash, right.file)
    }
  }

  /// - Parameter engine: The program that makes it.
  public init(engine: String, scanner: DebugFileScanner = DebugFileScanner()) {
    head.engine = engine
    self.scanner = scanner
  }

  /// The number of files that have debug files, or are one.
  public var count: Int { files.count - objectsBeside.count }
  /// The number of files of other kinds.
  public var otherFiles: Int { head.otherFiles }
  /// Debug files that cannot be used, and paths that cannot be read.
  public var refusals: [DebugFileRefusal] { head.refusals }

  /// Adds everything at or below `paths`, and what lies beside the programs there.
  ///
  /// - Parameter progress: Called after each file.
  public mutating func add(_ paths: [String], progress: () -> Void = {}) {
    for path in paths.map({ Self.absolute($0) }) {
      head.paths.append(path)
      walk(path) { writer, item in
        switch item {
        case .refused(let path, let error):
          writer.head.refusals.append(DebugFileRefusal(path: path, reason: error.reason))
        case .file(let path):
          writer.add(path)
          progress()
        }
      }
    }
    addDatabases()
    addNeighbours()
  }

  /// Adds the object with an address or all that begin with it; see `ObjectStore.objects(at:)`.
  ///
  /// Files beside programs on S3 count if they are among them.
  ///
  /// - Parameters:
  ///   - copies: What fetches them; none is kept.
  ///   - progress: Called after each object.
  /// - Throws: ``ObjectStorageError``: an object that cannot be read is not left out.
  public mutating func add(
    _ address: ObjectAddress, from copies: ObjectCopies, progress: () -> Void = {}
  ) throws {
    head.paths.append(address.description)
    let objects = try copies.store().objects(at: address)
      .filter { seenObjects.insert($0.address).inserted }
    let reader = SymbolObjectReader(scanner, copies, listed: objects, keepsCopies: false)
    try reader.read(objects) { (object, scan, beside) throws in
      if add(scan, begin: { $0.begin(object) }) != nil {
        for other in beside where objectsBeside.insert(other.address).inserted {
          note(.beside(other.address.description), in: begin(other))
        }
      }
      progress()
    }
  }

  private mutating func walk(
    _ path: String, body: (inout SymbolIndexWriter, FileTree.Item) -> Void
  ) {
    var tree = tree
    tree.walk(path) { body(&self, $0) }
    self.tree = tree
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return unsafe String(cString: folder) + "/" + rest
  }

  private mutating func add(_ path: String) {
    let scan = scanner.scanFile(path)
    guard add(scan, begin: { $0.begin(path, objects: nil) }) != nil else { return }
    if scan.files.contains(where: { $0.diskPath != nil && Self.mayHaveNeighbours($0) }) {
      programs.append(path)
    }
  }

  /// Adds what a file or an object has.
  ///
  /// - Returns: The number of the file; `nil` if there is nothing in it, or it was deleted.
  private mutating func add(
    _ scan: DebugFileScan, begin: (inout SymbolIndexWriter) -> UInt32?
  ) -> UInt32? {
    head.otherFiles += scan.otherFiles
    head.refusals += scan.refusals
    guard !scan.isEmpty, let number = begin(&self) else { return nil }
    for file in scan.files { note(file, in: number) }
    for file in scan.supplementary {
      for id in file.object.splitUnitIDs { note(.splitUnit(id), in: number) }
    }
    for path in scan.objectFiles { note(.objectFile(lastPathComponent(of: path)), in: number) }
    for file in scan.mappings {
      note(.mappingKind(file.kind.rawValue), in: number)
      for identity in file.identities { note(.mapping(identity.debugID.uuid), in: number) }
    }
    for file in scan.bundles {
      if let id = file.debugID { note(.sources(id.uuid), in: number) }
    }
    lines += scan.digestLines
    return number
  }

  private static func mayHaveNeighbours(_ file: DebugFile) -> Bool {
    !DebugFileScanner.databases(of: file).isEmpty
      || !DebugFileScanner.neighbours(of: file).isEmpty
  }

  /// - Returns: The number of the file; `nil` if it was deleted.
  private mutating func begin(_ path: String, objects: [UInt64]?) -> UInt32? {
    guard let status = FileState(of: path) else {
      head.refusals.append(
        DebugFileRefusal(path: path, reason: FileError("open", path: path).reason))
      return nil
    }
    files.append(
      IndexedFile(
        path: path, size: status.size, state: .changed(status.changed), objects: objects))
    return UInt32(files.count - 1)
  }

  private mutating func begin(_ object: ObjectVersion) -> UInt32 {
    files.append(
      IndexedFile(
        path: object.address.description, size: object.size, state: .entityTag(object.entityTag)))
    return UInt32(files.count - 1)
  }

  private mutating func note(_ key: SymbolIndexKey, in number: UInt32) {
    keys.append(Key(hash: key.hash, file: number))
  }

  private mutating func note(_ file: DebugFile, in number: UInt32) {
    let wasm = file.object.wasm
    for id in [file.debugID, wasm?.otherDebugID] {
      if let id { note(.debugID(id.uuid), in: number) }
    }
    for id in [file.codeID, wasm?.otherCodeID] {
      if let id { note(.codeID(id.description), in: number) }
    }
    note(.name(file.name), in: number)
    note(.container("\(file.object.container)"), in: number)
  }

  // MARK: Beside programs

  private mutating func addDatabases() {
    for program in programs {
      for file in scanner.scanFile(program).files {
        guard let id = file.debugID else { continue }
        for name in DebugFileScanner.databases(of: file) {
          addBeside(name) { $0.object.container == .pdb && $0.debugID == id }
        }
      }
    }
  }

  private mutating func addNeighbours() {
    for program in programs {
      for file in scanner.scanFile(program).files {
        for neighbour in DebugFileScanner.neighbours(of: file) {
          addBeside(neighbour.path, where: neighbour.isRight)
        }
      }
    }
  }

  private mutating func addBeside(_ path: String, where isRight: (DebugFile) -> Bool) {
    walk(path) { writer, item in
      guard case .file(let path) = item else { return }
      let found = writer.scanner.scanFile(path).files.filter(isRight)
      guard !found.isEmpty,
        let number = writer.begin(path, objects: found.map { IndexedFile.hash(of: $0) })
      else { return }
      for file in found {
        writer.note(file, in: number)
        writer.lines += DebugFileScan.digestLines(of: [file])
      }
    }
  }

  // MARK: Writing

  /// Passes the bytes of the index to `sink`, in order.
  public consuming func write(to sink: (ByteView) throws -> Void) throws {
    head.digest = DebugFileScan.digest(of: lines)
    var front = Table<UInt8>()
    let document = head.bytes
    Self.append(SymbolIndexFormat.magic, to: &front)
    front.append(littleEndian: SymbolIndexFormat.version)
    front.append(littleEndian: UInt32(clamping: document.count))
    Self.append(document, to: &front)
    let start = ByteView(taking: front)
    guard document.count <= SymbolIndexFormat.mostHeadBytes else {
      throw ParseError(
        .limit(name: "bytes of the head", value: SymbolIndexFormat.mostHeadBytes),
        in: "symbol index", at: 0)
    }
    try sink(start)
    var offset = start.count
    var directory = Table<UInt8>()
    let size = SymbolIndexFormat.filesInBlock
    directory.append(littleEndian: UInt32(files.count))
    directory.append(littleEndian: UInt32((files.count + size - 1) / size))
    for first in stride(from: 0, to: files.count, by: size) {
      var block = Table<UInt8>()
      for file in files[first..<min(first + size, files.count)] { Self.append(file, to: &block) }
      let bytes = ByteView(taking: block)
      directory.append(littleEndian: UInt64(offset))
      directory.append(littleEndian: UInt32(bytes.count))
      directory.append(littleEndian: CRC32.checksum(of: bytes))
      try sink(bytes)
      offset += bytes.count
    }
    keys.sort()
    let most = SymbolIndexFormat.keysInBlock
    directory.append(littleEndian: UInt32((keys.count + most - 1) / most))
    for first in stride(from: 0, to: keys.count, by: most) {
      var block = Table<UInt8>()
      let part = keys[first..<min(first + most, keys.count)]
      for key in part {
        block.append(littleEndian: key.hash)
        block.append(littleEndian: key.file)
      }
      let bytes = ByteView(taking: block)
      directory.append(littleEndian: keys[first].hash)
      directory.append(littleEndian: UInt64(offset))
      directory.append(littleEndian: UInt32(part.count))
      directory.append(littleEndian: CRC32.checksum(of: bytes))
      try sink(bytes)
      offset += bytes.count
    }
    let entries = ByteView(taking: directory)
    try sink(entries)
    var end = Table<UInt8>()
    end.append(littleEndian: UInt64(offset))
    end.append(littleEndian: UInt32(clamping: entries.count))
    end.append(littleEndian: CRC32.checksum(of: ByteView(start.array + entries.array)))
    Self.append(SymbolIndexFormat.end, to: &end)
    try sink(ByteView(taking: end))
  }

  private static func append(_ file: IndexedFile, to block: inout Table<UInt8>) {
    append(text: file.path, to: &block)
    append(number: UInt64(file.size), to: &block)
    switch file.state {
    case .changed(let time): append(number: UInt64(bitPattern: time), to: &block)
    case .entityTag(let tag): append(text: tag, to: &block)
    }
    append(number: file.objects.map { UInt64($0.count) + 1 } ?? 0, to: &block)
    for hash in file.objects ?? [] { block.append(littleEndian: hash) }
  }

  private static func append(_ bytes: [UInt8], to block: inout Table<UInt8>) {
    for byte in bytes { block.append(byte) }
  }

  private static func append(text: String, to block: inout Table<UInt8>) {
    append(number: UInt64(text.utf8.count), to: &block)
    append(Array(text.utf8), to: &block)
  }

  private static func append(number: UInt64, to block: inout Table<UInt8>) {
    var rest = number
    while rest >= 0x80 {
      block.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    block.append(UInt8(rest))
  }
}

/// The size of a file, and when it was last changed.
struct FileState: Equatable {
  let size: Int
  /// In nanoseconds since 1970.
  let changed: Int64

  /// `nil` if there is no such file.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    size = Int(status.st_size)
    changed =
      Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}
