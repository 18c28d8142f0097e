/// Hands the library a line at a time, and takes what it makes of it.
///
/// The library is not compiled to tell the line of a value, so that the lines are counted here: it
/// takes one, and calls back before it takes the next.
final class LineSource {
  private let lines: [[UInt8]]
  private var next = 0
  private(set) var entries: [INIEntry] = []

  init(_ lines: [[UInt8]]) { self.lines = lines }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> LineSource? {
    pointer.map { Unmanaged<LineSource>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Copies the next line and a final zero, as `fgets` does.
  func fill(_ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32) -> UnsafeMutablePointer<CChar>? {
    guard let buffer, next < lines.count, lines[next].count < Int(size) else { return nil }
    let line = lines[next]
    next += 1
    for (index, byte) in line.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    buffer[line.count] = 0
    return buffer
  }

  func take(
    _ section: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
  ) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    entries.append(
      INIEntry(section: text(section), name: text(name), value: text(value), line: next))
  }
}
