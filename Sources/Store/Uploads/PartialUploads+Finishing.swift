public import Bytes
internal import Files
internal import Glibc
internal import JSON
internal import ServerStore

/// Once all parts of a file are there, it is stored after the request that finishes it: that may take
/// minutes.
///
///     uploads/parts-<id>/finish     the request to store it, and its author
///     uploads/parts-<id>/verdict    the outcome, in the place of its parts
extension PartialUploads {
  private static let finishName = "finish"
  private static let verdictName = "verdict"

  /// The author of a request to store a file, and the number of attempts.
  public struct Finishing: Sendable {
    public var caller: String
    public var label: String
    public var peer: String
    public var tries = 0

    public init(caller: String, label: String, peer: String) {
      self.caller = caller
      self.label = label
      self.peer = peer
    }
  }

  /// The outcome for a file: as if it had been sent in one request.
  public struct StoredResponse: Sendable {
    public let status: Int
    /// A JSON document.
    public let document: ByteView

    public init(status: Int, document: ByteView) {
      self.status = status
      self.document = document
    }
  }

  /// Records that a file is to be stored; from here on it will be, even after a restart.
  ///
  /// - Throws: `FileError`
  public func note(_ finishing: Finishing, of plan: Plan) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("caller", finishing.caller)
    writer.member("label", finishing.label)
    writer.member("peer", finishing.peer)
    writer.member("tries", finishing.tries)
    writer.endObject()
    try write(ByteView(writer.takeBytes()), as: Self.finishName, of: plan.id)
  }

  /// The request to store a file, until it is stored; `nil` where there is none.
  public func finishing(_ id: String) -> Finishing? {
    guard let bytes = read(Self.finishName, of: id, limit: 1 << 16),
      let value = try? JSONDocument.parse(bytes).value, let caller = value["caller"]?.string
    else { return nil }
    var finishing = Finishing(
      caller: caller, label: value["label"]?.string ?? "", peer: value["peer"]?.string ?? "")
    finishing.tries = value["tries"]?.integer ?? 0
    return finishing
  }

  /// The outcome for a file; `nil` where it is not known yet.
  public func verdict(_ id: String) -> StoredResponse? {
    guard let bytes = read(Self.verdictName, of: id, limit: 64 << 20),
      let end = bytes.text.utf8.firstIndex(of: UInt8(ascii: "\n")),
      let status = Int(String(bytes.text[..<end]))
    else { return nil }
    return StoredResponse(
      status: status, document: ByteView(Array(bytes.text.utf8[end...].dropFirst())))
  }

  /// Records the outcome for a file, and deletes its parts.
  ///
  /// - Throws: `FileError`
  public func end(_ plan: Plan, _ verdict: StoredResponse) throws {
    let text = Array("\(verdict.status)\n".utf8) + verdict.document.array
    try write(ByteView(text), as: Self.verdictName, of: plan.id)
    let folder = folder(plan.id)
    unlink(folder + "/" + Self.finishName)
    for name in FolderNames.of(folder) where Int(name) != nil { unlink(folder + "/" + name) }
  }

  /// The files that are to be stored and are not yet.
  public func unfinished() -> [String] {
    ids().filter {
      access(folder($0) + "/" + Self.finishName, F_OK) == 0
        && access(folder($0) + "/" + Self.verdictName, F_OK) != 0
    }
  }

  private func read(_ name: String, of id: String, limit: Int) -> ByteView? {
    let path = folder(id) + "/" + name
    guard Self.isID(id), access(path, F_OK) == 0 else { return nil }
    return try? ByteView(reading: path, limit: limit)
  }
}
