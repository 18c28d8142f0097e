internal import Bytes
public import Files
internal import ObjectStorage
internal import Synchronization
internal import Workers

/// Files at addresses: objects of S3, and what web servers have.
///
/// `s3://bucket/prefix` names the object with this key or, without one, all whose keys begin with it.
public final class RemoteInputs: Sendable {
  /// How many files are fetched at a time.
  private static let width = 16
  /// The bytes of files being fetched, or waiting to be read; a larger file is fetched alone.
  private static let bytesInFlight = 256 << 20

  private let agent: String
  private let folder: String
  private let onWait: @Sendable (String, Double) -> Void
  private let state = Mutex(State())

  private struct State {
    var store: ObjectStore?
    var failure: (any Error)?
  }

  /// - Parameters:
  ///   - agent: The `User-Agent` of requests.
  ///   - folder: Where files are put while they are read.
  ///   - onWait: Called with the reason and the seconds before a request is sent again.
  public init(
    agent: String, folder: String = Folder.temporary,
    onWait: @escaping @Sendable (String, Double) -> Void = { _, _ in }
  ) {
    self.agent = agent
    self.folder = folder
    self.onWait = onWait
  }

  /// Whether a name is an address.
  public static func isMeant(by name: String) -> Bool {
    ObjectAddress.isMeant(by: name) || WebObjects.isMeant(by: name)
  }

  /// - Throws: The first error for which files may be unknown, or all others unread: a list that could not be
  ///   read, no credentials, a bucket that does not answer any more.
  public func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// A file that was fetched.
  public struct Fetched: Sendable {
    /// The address, for display.
    public let name: String
    public let content: Result<UnnamedFile, InputError>
  }

  private struct Wanted: Sendable {
    let name: String
    /// Whether others come from the same place.
    let isListed: Bool
    let fetch: @Sendable (UnnamedFile) throws(ObjectStorageError) -> Void
  }

  /// Fetches the files that a name stands for, several at a time, and hands them over in the order of their keys.
  ///
  /// - Parameters:
  ///   - share: The files that are fetched; `nil` for all.
  ///   - limit: The most bytes of a file.
  public func walk(
    _ name: String, share: InputShare? = nil, limit: Int, body: (Fetched) -> InputStep
  ) -> InputStep {
    withoutActuallyEscaping(body) { body in
      var step = InputStep.next
      let stream = WorkStream<Wanted, Fetched>(
        width: Self.width, ahead: 2 * Self.width, capacity: Self.bytesInFlight
      ) { [self] wanted in
        Fetched(name: wanted.name, content: content(of: wanted))
      } consume: { [self] file in
        // Each of the rest would be waited for in vain.
        if state.withLock({ $0.failure != nil }) { step = .stop }
        if step == .next { step = body(file) }
      }
      do {
        try list(name, limit: limit) { wanted, size in
          guard share?.contains(Array(wanted.name.utf8)) ?? true else { return step }
          stream.bring(wanted, weight: size ?? 0)
          return step
        }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
        step = .stop
      }
      stream.finish()
      return step
    }
  }

  private func content(of wanted: Wanted) -> Result<UnnamedFile, InputError> {
    do throws(FileError) {
      let file = try UnnamedFile(in: folder)
      do throws(ObjectStorageError) {
        try wanted.fetch(file)
      } catch {
        if error.kind == .unreachable, wanted.isListed {
          state.withLock { $0.failure = $0.failure ?? error }
        }
        return .failure(.remote(error.description))
      }
      return .success(file)
    } catch {
      return .failure(.file(error))
    }
  }

  private func list(
    _ name: String, limit: Int, body: (Wanted, _ size: Int?) -> InputStep
  ) throws {
    guard ObjectAddress.isMeant(by: name) else {
      let objects = WebObjects(agent: agent, onWait: onWait)
      _ = body(
        Wanted(name: WebObjects.shown(name), isListed: false) { (file) throws(ObjectStorageError) in
          _ = try objects.get(name, into: file.file.number, limit: limit)
        }, nil)
      return
    }
    let address = try ObjectAddress(parsing: name)
    let store = try store()
    func wanted(_ address: ObjectAddress, _ tag: String?) -> Wanted {
      Wanted(name: address.description, isListed: true) { (file) throws(ObjectStorageError) in
        _ = try store.get(address, entityTag: tag, into: file.file.number, limit: limit)
      }
    }
    if !address.key.isEmpty, !address.key.hasSuffix("/"), let head = try store.head(address) {
      _ = body(wanted(address, head.entityTag), head.size)
      return
    }
    var listing = store.list(address)
    var isEmpty = true
    while let entry = try listing.next() {
      isEmpty = false
      // Tools that show keys as folders make empty objects for these.
      if entry.size == 0, entry.address.key.hasSuffix("/") { continue }
      if body(wanted(entry.address, entry.entityTag), entry.size) == .stop { return }
    }
    if isEmpty {
      throw InputError.remote("\(address): no object has a key that begins like this")
    }
  }

  /// The objects that an account of the environment gives access to.
  private func store() throws -> ObjectStore {
    if let store = state.withLock({ $0.store }) { return store }
    let store = ObjectStore(
      try ObjectStorageAccount(agent: agent), agent: agent, onWait: onWait)
    state.withLock { $0.store = store }
    return store
  }
}
