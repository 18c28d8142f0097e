internal import Bytes
internal import HTTPClient

extension ObjectStore {
  /// Reads an object, or a range of it.
  ///
  /// A transfer that breaks off is continued; all bytes are of one version of the object.
  ///
  /// - Parameters:
  ///   - range: The bytes to read, as far as the object has them. Default: all.
  ///   - entityTag: The version that it has to be, of an earlier answer.
  ///   - limit: The most bytes to take.
  /// - Throws: ``ObjectStorageError``: `.notFound`, `.notAllowed`, `.outOfRange` where the range begins after
  ///   the end, `.tooLarge`, `.changed`, `.malformed`, `.unreachable`.
  public func get(
    _ address: ObjectAddress, range: Range<Int>? = nil, entityTag: String? = nil, limit: Int
  ) throws(ObjectStorageError) -> ObjectPart {
    let target = DownloadTarget()
    let object = try get(address, range, entityTag, limit, target)
    return ObjectPart(bytes: target.takeBytes(), object: object)
  }

  /// Reads an object, or a range of it, into a file, pipe or device; see ``get(_:range:entityTag:limit:)``.
  ///
  /// After an error, some of the bytes may have been written.
  ///
  /// - Parameter descriptor: Open for writing; the bytes go where it stands.
  public func get(
    _ address: ObjectAddress, range: Range<Int>? = nil, entityTag: String? = nil,
    into descriptor: Int32, limit: Int
  ) throws(ObjectStorageError) -> ObjectHead {
    try get(address, range, entityTag, limit, DownloadTarget(descriptor: descriptor))
  }

  private func get(
    _ address: ObjectAddress, _ range: Range<Int>?, _ entityTag: String?, _ limit: Int,
    _ target: DownloadTarget
  ) throws(ObjectStorageError) -> ObjectHead {
    if let range, range.isEmpty {
      guard let facts = try head(address) else {
        throw ObjectStorageError(.notFound, address.description, "there is no such object")
      }
      return facts
    }
    var attempts = attempts()
    let download = Download(
      subject: address.description, range: range, limit: limit, target: target)
    return try download.run(&attempts, entityTag: entityTag) {
      (part, sink, attempts) throws(ObjectStorageError) -> WebHead? in
      var call = Call("GET", address)
      call.headers = part.headers
      call.answers = [416]
      return try self.attempt(call, to: sink, &attempts)
    }
  }

  /// Size and version of an object.
  ///
  /// - Returns: `nil` where there is no such object or bucket.
  /// - Throws: ``ObjectStorageError``.
  public func head(_ address: ObjectAddress) throws(ObjectStorageError) -> ObjectHead? {
    try headAnswer(address).map { head throws(ObjectStorageError) in
      guard let size = head["content-length"].flatMap({ ContentRange.number($0) }) else {
        throw ObjectStorageError(
          .malformed, address.description, "the answer does not say how long the object is")
      }
      return ObjectHead(head, size: size)
    }
  }

  func headAnswer(_ address: ObjectAddress) throws(ObjectStorageError) -> WebHead? {
    var attempts = attempts()
    var call = Call("HEAD", address)
    call.answers = [404]
    let head = try send(call, &attempts).head
    return head.status == 404 ? nil : head
  }
}
