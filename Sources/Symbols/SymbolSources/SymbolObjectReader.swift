internal import Bytes
internal import Files
package import ObjectStorage
internal import Synchronization
internal import Workers

/// Looks at objects of S3 as a scan looks at files.
///
/// Files beside one that they belong to count where they are known: the script of a source map, and the
/// property list of a dSYM bundle. Everything else beside a program is found by its id, as it is listed too.
struct SymbolObjectReader: Sendable {
  /// The objects that are fetched at a time.
  static let mostFetches = 16
  /// The objects that are fetched before the first of them is looked at, and their bytes.
  private static let mostAhead = 32
  private static let mostBytes = 8 << 30
  /// The size beyond which the beginning of an object is looked at first.
  private static let mostUnseen = 1 << 20

  private let scanner: DebugFileScanner
  private let copies: ObjectCopies
  private let keepsCopies: Bool
  /// Whether objects may be something else than debug files.
  private let isListed: Bool
  private let beside: @Sendable (ObjectAddress) throws -> ObjectVersion?

  /// A reader of objects that are known to have debug files.
  ///
  /// - Parameters:
  ///   - keepsCopies: Whether copies are kept for later runs.
  ///   - beside: The object at an address, if it is known.
  init(
    _ scanner: DebugFileScanner, _ copies: ObjectCopies, keepsCopies: Bool,
    beside: @escaping @Sendable (ObjectAddress) throws -> ObjectVersion?
  ) {
    self.scanner = scanner
    self.copies = copies
    self.keepsCopies = keepsCopies
    isListed = false
    self.beside = beside
  }

  /// A reader of objects that may be anything.
  init(
    _ scanner: DebugFileScanner, _ copies: ObjectCopies, listed: [ObjectEntry], keepsCopies: Bool
  ) {
    self.scanner = scanner
    self.copies = copies
    self.keepsCopies = keepsCopies
    isListed = true
    let entries = Dictionary(listed.map { ($0.address, $0) }) { first, _ in first }
    beside = { address in try entries[address].map { try ObjectVersion($0) } }
  }

  /// The part of an object that was fetched.
  private struct Fetched: Sendable {
    let object: ObjectVersion
    /// `nil` where nothing more is needed than ``scan``.
    var copy: ObjectCopy?
    var scan = DebugFileScan()
    var script: ObjectCopy?
    /// The property list of the bundle, and its copy where that is read.
    var list: (object: ObjectVersion, copy: ObjectCopy?)?
  }

  /// Scans one object.
  func read(_ object: ObjectVersion) throws -> DebugFileScan {
    try scan(fetch(object)).scan
  }

  /// Looks at objects one after the other, while others are fetched.
  ///
  /// - Parameter body: Called for each, in their order, with the objects that it was read with.
  /// - Throws: The first error; nothing that was fetched later is handed over.
  func read(
    _ objects: [ObjectEntry],
    body: (ObjectVersion, DebugFileScan, _ beside: [ObjectVersion]) throws -> Void
  ) throws {
    var failure: (any Error)?
    withoutActuallyEscaping(body) { body in
      let stream = WorkStream<ObjectEntry, Result<Fetched, any Error>>(
        width: min(Self.mostFetches, max(objects.count, 1)), ahead: Self.mostAhead,
        capacity: Self.mostBytes
      ) { entry in
        Result { try fetch(ObjectVersion(entry)) }
      } consume: { result in
        guard failure == nil else { return }
        do {
          let fetched = try result.get()
          let (scan, beside) = try scan(fetched)
          try body(fetched.object, scan, beside)
        } catch {
          failure = error
        }
      }
      for object in objects {
        guard failure == nil else { break }
        stream.bring(object, weight: object.size)
      }
      stream.finish()
    }
    if let failure { throw failure }
  }

  private func fetch(_ object: ObjectVersion) throws -> Fetched {
    var fetched = Fetched(object: object)
    let path = object.address.description
    guard object.size > 0 else {
      fetched.scan.otherFiles = 1
      return fetched
    }
    if isListed, object.size > Self.mostUnseen, !copies.has(object) {
      let head = try copies.store().get(
        object.address, range: 0..<DebugFileScanner.headCount, entityTag: object.entityTag,
        limit: DebugFileScanner.headCount)
      if let scan = scanner.dismiss(path, head: head.bytes, size: object.size) {
        fetched.scan = scan
        return fetched
      }
    }
    let copy = try self.copy(of: object)
    fetched.copy = copy
    if let script = DebugFileScanner.scriptPath(beside: path),
      MappingFile.Kind.recognise(try Self.head(of: copy)) == .sourceMap,
      let other = try beside(ObjectAddress(parsing: script)), other.size > 0,
      other.size <= scanner.limits.fileBytes
    {
      fetched.script = try self.copy(of: other)
    }
    if let list = BundleRelease.listPath(forFileAt: path),
      let other = try beside(ObjectAddress(parsing: list)), other.size > 0
    {
      // An index only says that there is one.
      fetched.list = (other, keepsCopies ? try self.copy(of: other) : nil)
    }
    return fetched
  }

  private static func head(of copy: ObjectCopy) throws(FileError) -> ByteView {
    try copy.withPath { path throws(FileError) in try DebugFileScanner.head(of: path) }
  }

  private func copy(of object: ObjectVersion) throws(ObjectStorageError) -> ObjectCopy {
    try keepsCopies ? copies.copy(of: object) : copies.temporaryCopy(of: object)
  }

  private func scan(
    _ fetched: Fetched
  ) throws(FileError) -> (scan: DebugFileScan, beside: [ObjectVersion]) {
    guard let copy = fetched.copy else { return (fetched.scan, []) }
    let path = fetched.object.address.description
    var script: (path: String, bytes: ByteView)?
    if let other = fetched.script {
      script = (other.object.address.description, try other.bytes())
    }
    var scan = copy.withPath { scanner.scanCopy(of: path, at: $0, beside: script) }
    var beside: [ObjectVersion] = []
    if !scan.mappings.isEmpty, let other = fetched.script { beside.append(other.object) }
    if !scan.files.isEmpty, let list = fetched.list {
      beside.append(list.object)
      if let copy = list.copy {
        scan.bundleReleases[list.object.address.description] = copy.withPath {
          BundleRelease.ofList(at: $0)
        }
      }
    }
    return (scan, beside)
  }
}

extension DebugFileScanner {
  /// Scans objects of S3. They are fetched once a machine.
  ///
  /// - Parameters:
  ///   - objects: A list in order.
  ///   - progress: Called after each object.
  /// - Throws: ``ObjectStorageError``: an object that cannot be read is not left out.
  package func scan(
    _ objects: [ObjectEntry], from copies: ObjectCopies, progress: () -> Void = {}
  ) throws -> DebugFileScan {
    var all = DebugFileScan()
    let reader = SymbolObjectReader(self, copies, listed: objects, keepsCopies: true)
    try reader.read(objects) { _, scan, _ in
      all.append(scan)
      progress()
    }
    noteReleases(in: &all)
    return all
  }
}
