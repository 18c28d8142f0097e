public import Bytes
public import Files
internal import Glibc

/// The names of inputs in a file or a stream, read as they are needed.
///
/// After the last name, ``failure`` tells whether the list was read to its end.
public final class InputNameList: Sequence, IteratorProtocol {
  /// Why the rest of a list cannot be read.
  public enum Failure: Error, Equatable, Sendable {
    case file(FileError)
    /// A list of lines contains a NUL: its names end with that.
    case hasNUL
    /// The name with this number, from 1, is longer than any path: the file is something else.
    case tooLong(Int)
  }

  /// The maximum number of bytes of a name. Linux takes 4,096.
  static let longestName = 1 << 16

  private let file: OpenFile
  private let name: String
  private let terminator: UInt8
  private let beforeWaiting: () -> Void
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var count = 0

  public private(set) var failure: Failure?

  /// - Parameters:
  ///   - file: Ownership is taken.
  ///   - name: The file's name for messages.
  ///   - endsWithNUL: Whether names end with NUL instead of a line feed.
  ///   - beforeWaiting: Called when there is no further name yet, as in a pipe whose writer waits for answers.
  public init(
    reading file: consuming OpenFile, name: String, endsWithNUL: Bool,
    beforeWaiting: @escaping () -> Void = {}
  ) {
    self.file = file
    self.name = name
    terminator = endsWithNUL ? 0 : UInt8(ascii: "\n")
    self.beforeWaiting = beforeWaiting
  }

  /// The next name that is not empty; `nil` at the end and after a ``failure``.
  public func next() -> InputName? {
    while let bytes = nextBytes() {
      if !bytes.isEmpty { return .listed(bytes) }
    }
    return nil
  }

  private func nextBytes() -> [UInt8]? {
    guard failure == nil else { return nil }
    count += 1
    // No byte is examined twice, however slowly a name comes.
    var end = position
    while true {
      if let found = buffer[end...].firstIndex(of: terminator) {
        return take(buffer[position..<found], next: found + 1)
      }
      guard buffer.count - position <= Self.longestName else {
        failure = .tooLong(count)
        return nil
      }
      end = buffer.count - position
      buffer.removeFirst(position)
      position = 0
      guard !isAtEnd, fill() else {
        guard failure == nil, !buffer.isEmpty else { return nil }
        return take(buffer[...], next: buffer.count)
      }
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>, next: Int) -> [UInt8]? {
    if bytes.contains(0) {
      failure = .hasNUL
      return nil
    }
    guard bytes.count <= Self.longestName else {
      failure = .tooLong(count)
      return nil
    }
    position = next
    return Array(bytes)
  }

  /// Reads more bytes.
  ///
  /// - Returns: `false` at the end and after a failure.
  private func fill() -> Bool {
    var ready = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
    if poll(&ready, 1, 0) == 0 { beforeWaiting() }
    // A descriptor that does not block by itself, such as a pipe that another program made so.
    _ = poll(&ready, 1, -1)
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: 1 << 16))
    var got: Int
    repeat {
      got = buffer.withUnsafeMutableBytes { bytes in
        read(file.number, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
    } while got < 0 && (errno == EINTR || errno == EAGAIN && poll(&ready, 1, -1) >= 0)
    let code = errno
    buffer.removeLast(buffer.count - start - Swift.max(got, 0))
    if got < 0 { failure = .file(FileError("read", path: name, code: code)) }
    isAtEnd = got <= 0
    return got > 0
  }
}

extension InputNameList.Failure: CustomStringConvertible {
  /// The problem, without the name of the list.
  public var description: String {
    switch self {
    case .file(let error): "cannot \(error.action): \(error.reason)"
    case .hasNUL: "the names end with NUL, not with lines: add -0"
    case .tooLong(let number):
      "name \(number) is longer than \(InputNameList.longestName) bytes; is this a list of names?"
    }
  }
}
