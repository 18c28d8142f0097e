internal import Bytes
internal import Files

/// Sizes of the parts of a long log in memory.
enum LogWindow {
  /// Larger logs are split.
  static let undivided = 16 << 20
  static let bytes = 2 << 20
  /// Larger reports are truncated.
  static let most = 16 << 20
  /// Bytes of the start by which a log is recognised.
  static let head = 64 << 10
}

extension InputWalker {
  /// Hands over the parts of a log that may hold reports. For a log without any, hands over its beginning, so
  /// that it is rejected.
  ///
  /// - Parameter give: Takes the bytes of a part.
  func readLog(
    _ file: borrowing OpenFile, name: String, by divider: any LogSplitting,
    give: (Result<ByteView, InputError>) -> InputStep
  ) -> InputStep {
    // A window is read into the memory of an earlier one.
    RecycledMemory.begin()
    defer { RecycledMemory.end() }
    var start = 0
    var size = LogWindow.bytes
    var isEmpty = true
    while true {
      let window: ByteView
      do throws(FileError) {
        window = try file.part(at: start, count: size, name: name)
      } catch {
        return give(.failure(.file(error)))
      }
      let isLast = window.count < size
      switch divider.cut(window, isLast: isLast, isFull: size >= LogWindow.most) {
      case .grow: size = min(size * 2, LogWindow.most)
      case .part(let part, let next):
        if let part {
          isEmpty = false
          if give(.success(window.clamped(part))) == .stop { return .stop }
        }
        if isLast { break }
        // However many bytes are left over, a window has room for as many new bytes.
        start += max(1, next)
        size = min(max(window.count - next, 0) + LogWindow.bytes, LogWindow.most)
        continue
      }
      guard isLast else { continue }
      guard isEmpty else { return .next }
      do throws(FileError) {
        return give(.success(try file.head(LogWindow.head, name: name)))
      } catch {
        return give(.failure(.file(error)))
      }
    }
  }
}
