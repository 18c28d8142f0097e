internal import Bytes
internal import Crypto
internal import Files
internal import Glibc
public import Identifiers
internal import JSON
public import Leases
internal import ServerStore

/// Large files sent in pieces, in any order, over any number of connections and restarts.
///
///     uploads/parts-<id>/<n>     piece n, complete
///     uploads/parts-<id>/plan    the description of the file
///
/// The id is a digest of the description, so that a client that begins the same upload again continues
/// it. No client's name is ever part of a path.
public struct PartialUploads: Sendable {
  /// The description of a file before it is sent.
  public struct Plan: Sendable {
    /// In bytes.
    public let size: Int
    /// SHA-256 in lower-case hexadecimal digits.
    public let digest: String
    /// `symbols` or `report`.
    public let kind: String
    /// The client's name for it.
    public let name: String
    public let app: String?
    public let version: String?
    /// The release that the bundle of a debug file names.
    public let bundle: String?
    /// The uploader: the id of a token.
    public let caller: String

    public init(
      size: Int, digest: String, kind: String, name: String, app: String?, version: String?,
      bundle: String? = nil, caller: String
    ) {
      self.size = size
      self.digest = digest
      self.kind = kind
      self.name = name
      self.app = app
      self.version = version
      self.bundle = bundle
      self.caller = caller
    }

    public var id: String {
      String(SHA256.hex(of: ByteView(document)).prefix(PartialUploads.idLength))
    }

    fileprivate var document: [UInt8] {
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("size", size)
      writer.member("sha256", digest)
      writer.member("kind", kind)
      writer.member("name", name)
      writer.member("app", app)
      writer.member("version", version)
      writer.member("bundle", bundle)
      writer.member("caller", caller)
      writer.endObject()
      return writer.takeBytes()
    }

    fileprivate init?(reading bytes: ByteView) {
      guard let value = try? JSONDocument.parse(bytes).value, let size = value["size"]?.integer,
        (1...PartialUploads.mostBytes).contains(size), let digest = value["sha256"]?.string,
        let kind = value["kind"]?.string,
        let name = value["name"]?.string, let caller = value["caller"]?.string
      else { return nil }
      self.init(
        size: size, digest: digest, kind: kind, name: name, app: value["app"]?.string,
        version: value["version"]?.string, bundle: value["bundle"]?.string, caller: caller)
    }

    public var count: Int { (size + PartialUploads.partSize - 1) / PartialUploads.partSize }

    /// The size of a piece; `nil` for an unknown number.
    public func size(ofPart number: Int) -> Int? {
      guard (0..<count).contains(number) else { return nil }
      return min(PartialUploads.partSize, size - number * PartialUploads.partSize)
    }
  }

  /// The size of all pieces but the last, in bytes.
  public static let partSize = 8 << 20
  /// Above any limit of a route: a plan with a larger size was tampered with.
  fileprivate static let mostBytes = 1 << 40
  /// Seconds after the last piece until the pieces of a file are deleted.
  public static let lifetime = 24 * 3_600

  private static let idLength = 40
  private static let planName = "plan"
  static let prefix = "parts-"
  private let root: String
  private let leases: any Leases
  public let limits: UploadLimits

  public init(home: String, limits: UploadLimits = UploadLimits()) {
    root = home + "/uploads"
    leases = FolderLeases(of: home)
    self.limits = limits
  }

  func folder(_ id: String) -> String { "\(root)/\(Self.prefix)\(id)" }

  private func path(ofPart number: Int, of id: String) -> String { "\(folder(id))/\(number)" }

  /// Stores a piece.
  ///
  /// - Parameter make: Creates the file at a path on the same file system as the scratch space.
  public func keep(part number: Int, of plan: Plan, _ make: (String) throws -> Void) rethrows {
    try make(path(ofPart: number, of: plan.id))
  }

  /// Prepares for a file.
  ///
  /// - Returns: The pieces that are present.
  /// - Throws: ``UploadRefusal`` where too much is in progress; `FileError`
  public func begin(_ plan: Plan) throws -> [Int] {
    let path = folder(plan.id)
    // Sent once more, for example after the debug file was removed.
    if verdict(plan.id) != nil { clear(plan.id) }
    if access(path, F_OK) != 0 { try admit(plan) }
    for folder in [root, path] { try Folder.make(folder) }
    if access(path + "/" + Self.planName, F_OK) != 0 {
      try write(ByteView(plan.document), as: Self.planName, of: plan.id)
    }
    return parts(of: plan)
  }

  /// Checks that one more file may be in progress.
  private func admit(_ plan: Plan) throws(UploadRefusal) {
    var files = (caller: 0, all: 0)
    var bytes = (caller: 0, all: 0)
    for id in ids() {
      guard verdict(id) == nil else { continue }
      files.all += 1
      guard let other = self.plan(id) else { continue }
      bytes.all = bytes.all.adding(other.size)
      guard other.caller == plan.caller else { continue }
      files.caller += 1
      bytes.caller = bytes.caller.adding(other.size)
    }
    guard files.all < limits.files else { throw .tooMany(limit: limits.files) }
    guard files.caller < limits.filesOfCaller else {
      throw .tooManyOfToken(limit: limits.filesOfCaller)
    }
    guard bytes.all.adding(plan.size) <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
    guard bytes.caller.adding(plan.size) <= limits.bytesOfCaller else {
      throw .tooLargeOfToken(limit: limits.bytesOfCaller)
    }
  }

  /// The files that are in progress, or were recently.
  func ids() -> [String] {
    FolderNames.of(root).filter(Self.isOwn).map { String($0.dropFirst(Self.prefix.count)) }
  }

  static func isID(_ text: String) -> Bool {
    text.utf8.count == idLength
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Writes a file of an upload atomically: concurrent writers each write a temporary one.
  func write(_ bytes: ByteView, as name: String, of id: String) throws {
    try NewFile.write(bytes, to: folder(id) + "/" + name)
  }

  /// The description of the file with this id; `nil` where none was begun, or it is done.
  public func plan(_ id: String) -> Plan? {
    guard Self.isID(id),
      let bytes = try? ByteView(reading: folder(id) + "/" + Self.planName, limit: 1 << 20)
    else { return nil }
    return Plan(reading: bytes)
  }

  /// The pieces that are present.
  public func parts(of plan: Plan) -> [Int] {
    (0..<plan.count).filter { number in
      var status = stat()
      return stat(path(ofPart: number, of: plan.id), &status) == 0
        && Int(status.st_size) == plan.size(ofPart: number)
    }
  }

  /// Joins the pieces under `path`, if they make up the announced file.
  ///
  /// - Returns: Whether they do.
  /// - Throws: `FileError`
  public func join(_ plan: Plan, at path: String) throws -> Bool {
    let output = try OpenFile.making(path)
    var hash = SHA256()
    for number in 0..<plan.count {
      let part = try ByteView(mapping: self.path(ofPart: number, of: plan.id))
      hash.update(part.bytes)
      try part.write(to: output.number, named: path)
    }
    return SHA256.hex(hash.finish()) == plan.digest
  }

  /// Begins to store a file.
  ///
  /// - Returns: `nil` while another process stores it, or where its data was deleted.
  public func beginStoring(_ id: String) -> (any Lease)? {
    (try? leases.take(.storing(upload: Self.prefix + id))) ?? nil
  }

  /// Deletes the data of a file.
  public func clear(_ id: String) {
    let path = folder(id)
    for name in FolderNames.of(path) { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// Deletes the data of abandoned uploads.
  public func clearLeftovers(now: Timestamp) {
    for name in FolderNames.of(root) where Self.isOwn(name) {
      var status = stat()
      // A new piece changes the folder.
      guard stat(root + "/" + name, &status) == 0,
        Int(now.seconds) - status.st_mtim.tv_sec > Self.lifetime
      else { continue }
      let id = String(name.dropFirst(Self.prefix.count))
      // A file that waits to be stored was acknowledged.
      if finishing(id) == nil || verdict(id) != nil { clear(id) }
    }
  }

  private static func isOwn(_ name: String) -> Bool { name.hasPrefix(prefix) }
}

extension Int {
  fileprivate func adding(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
