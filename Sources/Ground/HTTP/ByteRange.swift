internal import Bytes

/// The range of a file that a request asks for: its `Range` field, for one range of bytes (RFC 9110 14.1.2).
enum ByteRange: Equatable {
  /// Everything from the first byte on.
  case from(UInt64)
  /// The first and the last byte.
  case between(UInt64, UInt64)
  /// The last N bytes.
  case last(UInt64)

  /// - Parameter field: `bytes=0-499`; `nil` for anything else, or several ranges: the whole file is the
  ///   answer then.
  init?(_ field: String) {
    guard let sign = field.firstIndex(of: "="),
      field[..<sign].trimmingBlanks().isSame(as: "bytes")
    else { return nil }
    let specs = field[field.index(after: sign)...].split(separator: ",")
      .map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
    guard specs.count == 1, let mark = specs[0].firstIndex(of: "-") else { return nil }
    let (first, last) = (specs[0][..<mark], specs[0][specs[0].index(after: mark)...])
    if first.isEmpty {
      guard let count = Self.number(last) else { return nil }
      self = .last(count)
    } else {
      guard let start = Self.number(first) else { return nil }
      if last.isEmpty {
        self = .from(start)
      } else {
        guard let end = Self.number(last), end >= start else { return nil }
        self = .between(start, end)
      }
    }
  }

  /// Digits alone; what exceeds 64 bits counts as the largest number.
  private static func number(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt64(text) ?? .max
  }

  /// The requested bytes of a file: their offset and count; `nil` where there are none.
  func part(of size: UInt64) -> (offset: UInt64, count: UInt64)? {
    switch self {
    case .from(let first): first < size ? (first, size - first) : nil
    case .between(let first, let last):
      first < size ? (first, min(last, size - 1) - first + 1) : nil
    case .last(let count):
      count > 0 && size > 0 ? (size - min(count, size), min(count, size)) : nil
    }
  }
}

extension Response {
  /// The part of the response that the request asks for (RFC 9110 14): 206 with it, or 416 where the range is
  /// past the end. The whole response where no range or several are requested, or `If-Range` names another
  /// version.
  public func ranged(for request: RequestHead) -> Response {
    guard status == .ok, let size = length else { return self }
    var response = self
    response.headers["Accept-Ranges"] = "bytes"
    let fields = request.headers.values(of: "Range")
    guard request.method == "GET", fields.count == 1, let range = ByteRange(fields[0]),
      isCurrent(for: request)
    else { return response }
    guard let part = range.part(of: size) else {
      // No part of an empty file can be named, so all of it is the answer.
      guard size > 0 else { return response }
      return .problem(
        .rangeNotSatisfiable, "the file has \(size) bytes",
        headers: ["Content-Range": "bytes */\(size)", "Accept-Ranges": "bytes"])
    }
    response.status = .partialContent
    let last = part.offset + part.count - 1
    response.headers["Content-Range"] = "bytes \(part.offset)-\(last)/\(size)"
    switch content {
    case .file(let file): response.content = .file(file.part(from: part.offset, count: part.count))
    case .bytes(let bytes):
      let start = Int(part.offset)
      response.content = .bytes(bytes.clamped(start..<start + Int(part.count)))
    case .stream: break
    }
    return response
  }

  private var length: UInt64? {
    switch content {
    case .file(let file): file.count
    case .bytes(let bytes): UInt64(bytes.count)
    case .stream: nil
    }
  }

  /// Whether `If-Range`, where there is one, names this version of the response; only a strong tag can.
  private func isCurrent(for request: RequestHead) -> Bool {
    guard let condition = request.headers["If-Range"] else { return true }
    guard let tag = headers["ETag"], !tag.hasPrefix("W/") else { return false }
    return condition.trimmingBlanks() == tag
  }
}
