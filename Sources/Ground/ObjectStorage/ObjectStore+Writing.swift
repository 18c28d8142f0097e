public import Bytes
internal import Crypto
internal import Files
internal import Glibc
internal import HTTPClient
internal import XML

/// The outcome for an object that was to be stored.
public enum PutOutcome: Sendable, Hashable {
  case stored
  /// One with this key was there, and is unchanged.
  case existed
}

extension ObjectStore {
  /// The header by which a writer knows its own object again, if the answer to its first try was lost.
  private static let writerHeader = "x-amz-meta-mayday-writer"

  /// Stores an object.
  ///
  /// - Parameter ifAbsent: Whether an object that is there stays: of several writers, the first wins. The
  ///   server has to know conditional writes, as S3 does since 2024; others store it regardless.
  /// - Throws: ``ObjectStorageError``.
  @discardableResult
  public func put(
    _ bytes: ByteView, at address: ObjectAddress, ifAbsent: Bool = false
  ) throws(ObjectStorageError) -> PutOutcome {
    let writer = ifAbsent ? Self.newWriter() : nil
    var call = Call("PUT", address)
    call.headers = Self.headers(writer: writer)
    if ifAbsent { call.headers.append(("If-None-Match", "*")) }
    call.body = bytes
    call.digest = SHA256.hex(of: bytes)
    return try send(conditional: call, writer: writer)
  }

  /// Stores the file behind a descriptor, from its first byte to its last; in parts where it is large.
  ///
  /// - Parameters:
  ///   - descriptor: A file that is open for reading and does not change meanwhile; its position stays.
  ///   - ifAbsent: Whether an object that is there stays.
  /// - Throws: ``ObjectStorageError``.
  @discardableResult
  public func put(
    contentsOf descriptor: Int32, at address: ObjectAddress, ifAbsent: Bool = false
  ) throws(ObjectStorageError) -> PutOutcome {
    let name = address.description
    let file = try Self.local(name) { () throws(FileError) in
      try OpenFile.duplicating(descriptor, name: "the file for \(name)")
    }
    let size = try Self.local(name) { () throws(FileError) in
      let status = try file.status(name: "the file for \(name)")
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw FileError("read", path: "the file for \(name)", code: EINVAL, detail: "not a file")
      }
      return Int(status.st_size)
    }
    guard size > limits.wholeUpload else {
      return try put(try part(of: file, 0..<size, name), at: address, ifAbsent: ifAbsent)
    }
    return try putParts(of: file, size: size, at: address, ifAbsent: ifAbsent)
  }

  /// Deletes an object. That there is none is not an error.
  ///
  /// - Throws: ``ObjectStorageError``.
  public func delete(_ address: ObjectAddress) throws(ObjectStorageError) {
    guard !address.key.isEmpty else {
      throw ObjectStorageError(
        .configuration, address.description, "a whole bucket is not deleted")
    }
    var attempts = attempts()
    _ = try send(Call("DELETE", address), &attempts)
  }

  private static func local<Result: ~Copyable>(
    _ name: String, _ body: () throws(FileError) -> Result
  ) throws(ObjectStorageError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw ObjectStorageError(.local, name, error.description)
    }
  }

  private static func newWriter() -> String {
    UInt64.random(in: 0...UInt64.max).hexadecimalDigits(16)
      + UInt64.random(in: 0...UInt64.max).hexadecimalDigits(16)
  }

  private static func headers(writer: String?) -> [(name: String, value: String)] {
    var headers = [(name: "Content-Type", value: "application/octet-stream")]
    if let writer { headers.append((writerHeader, writer)) }
    return headers
  }

  /// Sends a request that stores an object, if the condition in it is met.
  private func send(
    conditional call: Call, writer: String?
  ) throws(ObjectStorageError) -> PutOutcome {
    guard !call.address.key.isEmpty else {
      throw ObjectStorageError(
        .configuration, call.address.description, "the key of the object is missing")
    }
    var attempts = attempts()
    var call = call
    call.answers = writer == nil ? [] : [412]
    guard try send(call, &attempts).head.status == 412 else { return .stored }
    // A try whose answer was lost may be the writer that was first.
    guard attempts.isUncertain else { return .existed }
    return try headAnswer(call.address)?[Self.writerHeader] == writer ? .stored : .existed
  }

  private func part(
    of file: borrowing OpenFile, _ range: Range<Int>, _ name: String
  ) throws(ObjectStorageError) -> ByteView {
    do throws(FileError) {
      let bytes = try file.part(
        at: range.lowerBound, count: range.count, name: "the file for \(name)")
      guard bytes.count == range.count else {
        throw FileError(
          "read", path: "the file for \(name)", code: EIO, detail: "it became shorter meanwhile")
      }
      return bytes
    } catch {
      throw ObjectStorageError(.local, name, error.description)
    }
  }

  // MARK: Parts

  /// Source: Amazon S3 User Guide, "Uploading and copying objects using multipart upload".
  private func putParts(
    of file: borrowing OpenFile, size: Int, at address: ObjectAddress, ifAbsent: Bool
  ) throws(ObjectStorageError) -> PutOutcome {
    let writer = Self.newWriter()
    var call = Call("POST", address)
    call.query = [("uploads", "")]
    call.headers = Self.headers(writer: writer)
    call.body = .empty
    var attempts = attempts()
    let document = try send(call, &attempts).document
    guard let root = try? ServiceDocuments.root(document),
      let upload = root.first("UploadId")?.text, (1...4096).contains(upload.utf8.count)
    else {
      throw ObjectStorageError(
        .malformed, address.description, "the answer to the upload's begin has no UploadId")
    }
    do throws(ObjectStorageError) {
      let tags = try uploadParts(of: file, size: size, of: upload, at: address)
      let outcome = try complete(upload, tags, at: address, ifAbsent: ifAbsent, writer)
      if outcome == .existed { abort(upload, at: address) }
      return outcome
    } catch {
      abort(upload, at: address)
      throw error
    }
  }

  private func uploadParts(
    of file: borrowing OpenFile, size: Int, of upload: String, at address: ObjectAddress
  ) throws(ObjectStorageError) -> [String] {
    // At most 10,000 parts.
    let count = max(limits.partBytes, 5 << 20, size / 10_000 + 1)
    var tags: [String] = []
    var start = 0
    while start < size {
      let end = min(start.addingClamped(count), size)
      let bytes = try part(of: file, start..<end, address.description)
      var call = Call("PUT", address)
      call.query = [("partNumber", "\(tags.count + 1)"), ("uploadId", upload)]
      call.body = bytes
      call.digest = SHA256.hex(of: bytes)
      var attempts = attempts()
      let head = try send(call, &attempts).head
      guard let tag = head["etag"], (1...1024).contains(tag.utf8.count) else {
        throw ObjectStorageError(
          .malformed, address.description, "the answer to part \(tags.count + 1) has no ETag")
      }
      tags.append(tag)
      start = end
    }
    return tags
  }

  private func complete(
    _ upload: String, _ tags: [String], at address: ObjectAddress, ifAbsent: Bool,
    _ writer: String
  ) throws(ObjectStorageError) -> PutOutcome {
    var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for (index, tag) in tags.enumerated() {
      let tag = tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      text += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
    }
    text += "</CompleteMultipartUpload>"
    let body = ByteView(text.utf8)
    var call = Call("POST", address)
    call.query = [("uploadId", upload)]
    call.headers = [("Content-Type", "application/xml")]
    if ifAbsent { call.headers.append(("If-None-Match", "*")) }
    call.body = body
    call.digest = SHA256.hex(of: body)
    call.answers = ifAbsent ? [404, 412] : [404]
    // Putting the parts together takes minutes, in which S3 sends blanks.
    call.silence = 300
    var attempts = attempts()
    while true {
      let answer = try send(call, &attempts)
      let said = RefusalDocument(answer.document)
      switch answer.head.status {
      case 404, 412:
        // A try whose answer was lost may have completed it.
        if attempts.isUncertain, try headAnswer(address)?[Self.writerHeader] == writer {
          return .stored
        }
        if answer.head.status == 412 { return .existed }
        throw ObjectStorageError(
          .notFound, address.description, said.message ?? "the upload is gone", status: 404,
          code: said.code)
      default:
        // Source: Amazon S3 API Reference, CompleteMultipartUpload: it may fail after its 200.
        guard let root = try? ServiceDocuments.root(answer.document),
          root.name == "CompleteMultipartUploadResult"
        else {
          if said.code == "PreconditionFailed", ifAbsent { return .existed }
          try attempts.pause(
            after: ObjectStorageError(
              .unreachable, address.description,
              said.message ?? "the answer to the upload's end is not one", status: 200,
              code: said.code))
          continue
        }
        return .stored
      }
    }
  }

  /// Frees the parts, as far as the server can be reached: they cost as much as an object. What is left needs
  /// a rule for incomplete uploads in the bucket.
  private func abort(_ upload: String, at address: ObjectAddress) {
    var call = Call("DELETE", address)
    call.query = [("uploadId", upload)]
    call.answers = [404]
    var attempts = attempts()
    do throws(ObjectStorageError) {
      _ = try send(call, &attempts)
    } catch {
      report(error)
    }
  }
}
