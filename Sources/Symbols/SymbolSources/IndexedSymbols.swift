public import Bytes
public import CrashModel
internal import DWARF
internal import DebugInfo
internal import Files
public import Identifiers
internal import ObjectFormats
public import ObjectStorage
internal import Synchronization
internal import Workers

/// The debug files of a symbol index: only those that an image may need are opened. Objects of S3 are fetched
/// once a machine.
public final class IndexedSymbols: SymbolSource {
  /// The path of the index.
  public let path: String
  private let index: SymbolIndexFile
  private let scanner: DebugFileScanner
  private let copies: ObjectCopies?
  private let opened = Mutex(OpenedFiles())

  /// The files that were opened last, by their numbers.
  private struct OpenedFiles {
    var scans: [Int: DebugFileScan] = [:]
    var bytes = 0
  }

  /// More files are closed before others are opened: a process may map 65,530.
  private static let mostOpen = 4_096
  /// The bytes of members of archives that are kept.
  private static let mostKeptBytes = 1 << 30

  /// Opens an index.
  ///
  /// - Parameter copies: What fetches objects of S3; without, they cannot be read.
  /// - Throws: ``FileError``; ``ParseError`` if it is damaged.
  /// - Complexity: O(1) in the number of files, for the most part.
  public convenience init(at path: String, copies: ObjectCopies? = nil) throws {
    try self.init(opening: ByteView(mapping: path), named: path, copies: copies)
  }

  /// Opens an index that is an object of S3 itself.
  ///
  /// - Returns: `nil` if the object is something else.
  /// - Throws: ``FileError``; ``ParseError`` if it is damaged.
  public convenience init?(_ copy: ObjectCopy, copies: ObjectCopies) throws {
    guard copy.withPath({ Self.isIndex($0) }) else { return nil }
    try self.init(
      opening: copy.bytes(), named: copy.object.address.description, copies: copies)
  }

  /// - Parameters:
  ///   - copies: What fetches objects of S3; without, they cannot be read.
  ///   - scanner: What looks at the files.
  ///   - checksSums: Whether to compare checksums. Without, everything else is checked.
  /// - Throws: ``ParseError`` if the index is damaged.
  public init(
    opening bytes: ByteView, named path: String, copies: ObjectCopies? = nil,
    scanner: DebugFileScanner = DebugFileScanner(), checksSums: Bool = true
  ) throws(ParseError) {
    self.path = path
    self.scanner = scanner
    self.copies = copies
    index = try SymbolIndexFile(bytes, checksSums: checksSums)
  }

  /// Whether the file at `path` is an index; `false` also if it cannot be read.
  public static func isIndex(_ path: String) -> Bool {
    guard let file = try? OpenFile.opening(path), let head = try? file.head(8, name: path) else {
      return false
    }
    return SymbolIndexFile.isIndex(head)
  }

  /// The number of files that have debug files, are one, or are read with one.
  public var count: Int { index.count }
  /// Files that should be debug files and cannot be used.
  public var refusals: [DebugFileRefusal] { index.head.refusals }
  /// The ``DebugFileScan/digest`` of the indexed paths.
  public var digest: String { index.head.digest }

  // MARK: Looking up

  public func candidates(for image: LoadedImage) throws -> [DebugFile] {
    try table(for: image).candidates(for: image)
  }

  public func unusable(for image: LoadedImage) throws -> [SymbolCandidate] {
    try table(for: image).unusable(for: image)
  }

  public func mappings(for image: LoadedImage) throws -> [MappingFile] {
    var numbers: Set<Int> = []
    for id in image.possibleDebugIDs { numbers.formUnion(try index.files(by: .mapping(id.uuid))) }
    return try table(numbers).mappings(for: image)
  }

  public func givenMappings(of kind: MappingFile.Kind) throws -> [MappingFile] {
    try table(Set(index.files(by: .mappingKind(kind.rawValue)))).givenMappings(of: kind)
  }

  public func namesakes(of image: LoadedImage, limit: Int) throws -> [SymbolCandidate] {
    let damaged = DebugFileIndex([], refusals: refusals)
    var found = damaged.namesakes(of: image, limit: limit)
    var numbers: Set<Int> = []
    for name in DebugFileName.names(of: image) {
      numbers.formUnion(try index.files(by: .name(name)))
    }
    var image = image
    if image.possibleDebugIDs.isEmpty { image.debugID = try debugID(ofProgramOf: image) }
    // A name may have thousands of builds, of which the first few are hints enough.
    for number in numbers.sorted() where found.count < limit {
      for candidate in try table([number]).namesakes(of: image, limit: limit - found.count)
      where !found.contains(candidate) {
        found.append(candidate)
      }
    }
    return Array(found.prefix(limit))
  }

  /// The bundles of sources of a build.
  public func bundles(of id: DebugID) throws -> [SourceBundleFile] {
    try index.files(by: .sources(id.uuid)).flatMap { try open($0).bundles }
      .filter { $0.debugID == id }
  }

  /// The files that may explain an image, and those that these need.
  private func table(for image: LoadedImage) throws -> DebugFileIndex {
    var numbers = try self.numbers(for: image)
    var table = try table(numbers)
    // Files may name others, which may name others.
    while true {
      var more = numbers
      for file in table.files { more.formUnion(try self.numbers(neededBy: file)) }
      guard more.count > numbers.count else { return table }
      numbers = more
      table = try self.table(numbers)
    }
  }

  private func numbers(for image: LoadedImage) throws -> Set<Int> {
    var numbers: Set<Int> = []
    func add(_ key: SymbolIndexKey) throws { numbers.formUnion(try index.files(by: key)) }
    guard image.hasBuildID else {
      for name in DebugFileName.names(of: image) { try add(.name(name)) }
      if image.path == nil, let container = DebugFileIndex.unnamed[image.name] {
        try add(.container("\(container)"))
      }
      return numbers
    }
    for id in image.possibleDebugIDs { try add(.debugID(id.uuid)) }
    if let id = image.codeID { try add(.codeID(id.description)) }
    if image.possibleDebugIDs.isEmpty, let id = try debugID(ofProgramOf: image) {
      try add(.debugID(id.uuid))
    }
    return numbers
  }

  /// The debug id of the program for Windows that has an image's code id: it leads to the PDB.
  private func debugID(ofProgramOf image: LoadedImage) throws -> DebugID? {
    guard let id = image.codeID else { return nil }
    return try table(Set(index.files(by: .codeID(id.description)))).files
      .first { $0.codeID == id && $0.object.container == .pe }?.debugID
  }

  private func numbers(neededBy file: DebugFile) throws -> Set<Int> {
    var numbers: Set<Int> = []
    func add(_ key: SymbolIndexKey) throws { numbers.formUnion(try index.files(by: key)) }
    let object = file.object
    if let link = object.elf?.debugLink { try add(.name(lastPathComponent(of: link.name))) }
    if let path = object.wasm?.externalDebugInfo { try add(.name(lastPathComponent(of: path))) }
    if let link = object.elf?.alternateLink { try add(.codeID(link.codeID.description)) }
    if object.container == .elf {
      for unit in object.splitReferences { try add(.splitUnit(unit.id)) }
    }
    if file.usability == .symbolsOnly, let program = object.machO, program.hasDebugMap,
      let map = try? program.debugMap()
    {
      for part in map.objects {
        let location = DebugMap.ObjectLocation(map.path(of: part))
        try add(.objectFile(lastPathComponent(of: location.file)))
      }
    }
    return numbers
  }

  // MARK: Opening

  private func table(_ numbers: Set<Int>) throws -> DebugFileIndex {
    var all = DebugFileScan()
    let numbers = numbers.sorted()
    let copies = try fetch(numbers)
    defer { withExtendedLifetime(copies) {} }
    for number in numbers {
      let scan = try open(number)
      all.files += scan.files
      all.supplementary += scan.supplementary
      all.objectFiles += scan.objectFiles
      all.objectCopies.merge(scan.objectCopies) { first, _ in first }
      all.mappings += scan.mappings
    }
    return DebugFileIndex(all)
  }

  /// Fetches the objects among several files at the same time.
  ///
  /// - Returns: Their copies, which are there as long as they are referenced.
  private func fetch(_ numbers: [Int]) throws -> [ObjectCopy] {
    guard let copies, numbers.count > 1 else { return [] }
    let missing = opened.withLock { opened in numbers.filter { opened.scans[$0] == nil } }
    let objects = try missing.compactMap { try object(index.file($0)) }
    guard objects.count > 1 else { return [] }
    let width = min(objects.count, SymbolObjectReader.mostFetches)
    return try Workers.map(count: objects.count, width: width) { number in
      Result { () throws(ObjectStorageError) in try copies.copy(of: objects[number]) }
    }.enumerated().map { number, result in
      do throws(ObjectStorageError) {
        return try result.get()
      } catch {
        throw changed(error, objects[number])
      }
    }
  }

  /// - Returns: `nil` for a file on disk.
  private func object(_ file: IndexedFile) throws(ObjectAddressError) -> ObjectVersion? {
    guard case .entityTag(let tag) = file.state else { return nil }
    return ObjectVersion(
      try ObjectAddress(parsing: file.path), size: file.size, entityTag: tag)
  }

  /// The object at an address, if another is read with it.
  private func object(beside address: ObjectAddress) throws -> ObjectVersion? {
    for number in try index.files(by: .beside(address.description)) {
      if let object = try object(index.file(number)), object.address == address { return object }
    }
    return nil
  }

  /// The error for an object that could not be fetched.
  private func changed(_ error: ObjectStorageError, _ object: ObjectVersion) -> any Error {
    // A bucket that is not there is not a change.
    let isGone = error.kind == .notFound && error.code != "NoSuchBucket"
    guard error.kind == .changed || isGone else { return error }
    return ChangedSymbols(path: object.address.description, index: path)
  }

  private func scan(_ file: IndexedFile) throws -> DebugFileScan {
    if let object = try object(file) {
      guard let copies else { throw UnreadObjects(path: file.path) }
      let reader = SymbolObjectReader(scanner, copies, keepsCopies: true) { address in
        try self.object(beside: address)
      }
      do {
        return try reader.read(object)
      } catch let error as ObjectStorageError {
        throw changed(error, object)
      }
    }
    guard let state = FileState(of: file.path), state.size == file.size,
      .changed(state.changed) == file.state
    else { throw ChangedSymbols(path: file.path, index: path) }
    return scanner.scanFile(file.path)
  }

  private func open(_ number: Int) throws -> DebugFileScan {
    if let known = opened.withLock({ $0.scans[number] }) { return known }
    let file = try index.file(number)
    var scan = try scan(file)
    if let objects = file.objects {
      let files = scan.files.filter { objects.contains(IndexedFile.hash(of: $0)) }
      scan = DebugFileScan()
      scan.files = files
    }
    scanner.noteReleases(in: &scan)
    return opened.withLock { opened in
      if opened.scans.count >= Self.mostOpen || opened.bytes > Self.mostKeptBytes {
        opened = OpenedFiles()
      }
      opened.scans[number] = scan
      opened.bytes += scan.keptBytes
      return scan
    }
  }
}

/// A debug file is not what it was when it was indexed.
public struct ChangedSymbols: Error, CustomStringConvertible, Equatable {
  let path: String
  let index: String

  public var description: String {
    "\(path) was changed or removed after \(index) was made: run 'mayday symbols index' again"
  }
}

/// A debug file is on S3, which this command does not read.
struct UnreadObjects: Error, CustomStringConvertible, Equatable {
  let path: String

  var description: String { "\(path.printable): this command reads no debug files from S3" }
}
