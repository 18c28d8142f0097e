public import Bytes
internal import Crypto
internal import Files
internal import Glibc
internal import Synchronization

/// Copies of objects on this machine, each fetched once, whatever processes need it.
///
/// A copy is named by the address and the ETag, so that another state of the object never takes its place. It
/// is written to an unnamed file, which gets the name when it is complete.
public final class ObjectCopies: Sendable {
  /// The default limit of all copies together, in bytes.
  public static let standardBudget = 20 << 30

  private static let suffix = ".object"

  private let files: RenewableFiles?
  private let makeStore: @Sendable () throws(ObjectStorageError) -> ObjectStore
  private let made = Mutex<Result<ObjectStore, ObjectStorageError>?>(nil)
  /// Fetches in this process: those who wait for one share its result, an error too.
  private let fetches = Mutex<[ObjectVersion: Fetch]>([:])
  /// Bytes since the folder was trimmed; less than 0 before the first copy.
  private let added = Mutex(-1)

  /// - Parameters:
  ///   - folder: Where to keep copies; it must belong to this user. Without, they last as long as they are
  ///     used.
  ///   - budget: The most bytes of all copies together; those in use may exceed it.
  ///   - store: Called once, when the first object is needed.
  public init(
    in folder: String?, budget: Int = standardBudget,
    store: @escaping @Sendable () throws(ObjectStorageError) -> ObjectStore
  ) {
    files = folder.map { RenewableFiles($0, budget: budget, suffixes: [Self.suffix]) }
    makeStore = store
  }

  /// The store that has the objects.
  ///
  /// - Throws: ``ObjectStorageError`` where it cannot be used as it is configured.
  public func store() throws(ObjectStorageError) -> ObjectStore {
    try made.withLock { made in
      if let made { return made }
      let result = Result { () throws(ObjectStorageError) in try makeStore() }
      made = result
      return result
    }.get()
  }

  private final class Fetch: Sendable {
    let result = Mutex<Result<ObjectCopy, ObjectStorageError>?>(nil)
  }

  /// The copy of an object in one state, which is fetched unless it is here.
  ///
  /// - Throws: ``ObjectStorageError``: `.changed` where the object has another state now.
  public func copy(of object: ObjectVersion) throws(ObjectStorageError) -> ObjectCopy {
    if let files, let copy = kept(Self.name(of: object), in: files, object) { return copy }
    let fetch = fetches.withLock { fetches in
      if let fetch = fetches[object] { return fetch }
      let fetch = Fetch()
      fetches[object] = fetch
      return fetch
    }
    return try fetch.result.withLock { result in
      if let result { return result }
      let made = Result { () throws(ObjectStorageError) in try make(object) }
      result = made
      // Later ones find the file, or try again.
      fetches.withLock { _ = $0.removeValue(forKey: object) }
      return made
    }.get()
  }

  /// Whether the copy of an object is here.
  public func has(_ object: ObjectVersion) -> Bool {
    files.map { kept(Self.name(of: object), in: $0, object) != nil } ?? false
  }

  private func make(_ object: ObjectVersion) throws(ObjectStorageError) -> ObjectCopy {
    guard let files else { return try temporaryCopy(of: object) }
    let name = Self.name(of: object)
    // A folder that cannot be written costs time, not results.
    guard let lock = files.lock(name) else { return try temporaryCopy(of: object) }
    defer { lock.remove() }
    // Another process may have fetched it while this one waited for the lock.
    if let copy = kept(name, in: files, object) { return copy }
    let file = try fetch(object, in: files.path)
    do throws(FileError) {
      try file.replace(files.path(of: name))
    } catch {
      throw ObjectStorageError(.local, object.address.description, error.description)
    }
    makeRoom(in: files, for: object.size, sparing: name)
    return ObjectCopy(object, .unnamed(file))
  }

  /// A copy of an object in one state that lasts as long as it is used.
  ///
  /// - Throws: As ``copy(of:)``.
  public func temporaryCopy(of object: ObjectVersion) throws(ObjectStorageError) -> ObjectCopy {
    ObjectCopy(object, .unnamed(try fetch(object, in: Folder.temporary)))
  }

  private static func name(of object: ObjectVersion) -> String {
    let identity = "\(object.address)\0\(object.entityTag)"
    return SHA256.hex(of: ByteView(identity.utf8)) + suffix
  }

  /// The copy under a name, if it is whole.
  private func kept(
    _ name: String, in files: RenewableFiles, _ object: ObjectVersion
  ) -> ObjectCopy? {
    let path = files.path(of: name)
    guard let file = try? OpenFile.opening(path, followsLinks: false),
      let status = try? file.status(name: path), status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == object.size
    else { return nil }
    files.noteUse(of: name)
    return ObjectCopy(object, .kept(file))
  }

  private func fetch(
    _ object: ObjectVersion, in folder: String
  ) throws(ObjectStorageError) -> UnnamedFile {
    let name = object.address.description
    let file: UnnamedFile
    do throws(FileError) {
      file = try UnnamedFile(in: folder)
    } catch {
      throw ObjectStorageError(.local, name, error.description)
    }
    let head = try store().get(
      object.address, entityTag: object.entityTag, into: file.file.number, limit: object.size)
    guard head.size == object.size else {
      throw ObjectStorageError(
        .malformed, name,
        "\(head.size ?? 0) bytes came, not the \(object.size) that this state of it has")
    }
    return file
  }

  /// Trims the folder, now and then: it may have many files.
  private func makeRoom(in files: RenewableFiles, for size: Int, sparing name: String) {
    let isDue = added.withLock { added in
      let sum = added < 0 ? .max : added.addingClamped(size)
      let isDue = sum > files.budget / 32
      added = isDue ? 0 : sum
      return isDue
    }
    if isDue { files.trim(sparing: name) }
  }
}

/// A copy of an object, open for reading.
public final class ObjectCopy: Sendable {
  enum Place: ~Copyable, Sendable {
    case kept(OpenFile)
    case unnamed(UnnamedFile)
  }

  public let object: ObjectVersion
  private let place: Place

  init(_ object: ObjectVersion, _ place: consuming Place) {
    self.object = object
    self.place = place
  }

  /// Calls `body` with a path by which this process can open it meanwhile; nothing that is shown.
  public func withPath<Value, Failure: Error>(
    _ body: (String) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    defer { withExtendedLifetime(self) {} }
    switch place {
    case .kept(let file): return try body("/proc/self/fd/\(file.number)")
    case .unnamed(let file): return try body(file.path)
    }
  }

  /// The whole object, mapped; it needs no copy any more.
  public func bytes() throws(FileError) -> ByteView {
    try withPath { path throws(FileError) in try ByteView(mapping: path) }
  }
}
