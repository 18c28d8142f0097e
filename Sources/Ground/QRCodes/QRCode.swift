internal import CQRCode

/// The QR code of a text: a square of dark and light modules, without the light margin of four modules that
/// readers expect around it.
///
/// The library is called with memory of this call alone, and keeps nothing but its tables, which it guards by
/// locks of its own.
public struct QRCode: Hashable, Sendable {
  /// The modules on each side, 21 to 177.
  public let size: Int
  /// Whether each module is dark, row by row.
  public let modules: [Bool]

  /// The light modules around a code.
  ///
  /// Source: ISO/IEC 18004, 6.3.8.
  public static let margin = 4

  /// Draws the code of a text, as UTF-8, with medium error correction: a seventh of it may be illegible.
  ///
  /// - Throws: ``QRCodeError``.
  public init(of text: String) throws(QRCodeError) {
    guard !text.isEmpty else { throw .empty }
    let largest = Int(CQRCODE_LARGEST)
    let bytes = Array(text.utf8)
    var drawn = [UInt8](repeating: 0, count: largest * largest)
    var size: Int32 = 0
    switch cqrcode_draw(bytes, bytes.count, &drawn, &size) {
    case CQRCODE_DRAWN: break
    case CQRCODE_NO_LIBRARY: throw .noLibrary
    case CQRCODE_NO_MEMORY: throw .noMemory
    default: throw .tooLong
    }
    let count = Int(size)
    self.size = count
    modules = drawn.prefix(count * count).map { $0 == 1 }
  }

  /// The dark modules as a path of SVG, in units of a module, with the margin: a bar for each run in a row.
  public var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard modules[row * size + column] else {
          column += 1
          continue
        }
        let start = column
        while column < size, modules[row * size + column] { column += 1 }
        let length = column - start
        path += "M\(start + Self.margin) \(row + Self.margin)h\(length)v1h-\(length)z"
      }
    }
    return path
  }
}

/// Why there is no QR code of a text.
public enum QRCodeError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// The text has more bytes than the largest code holds, 2,331.
  case tooLong
  /// libqrencode is not installed.
  case noLibrary
  case noMemory

  public var description: String {
    switch self {
    case .empty: "an empty text has no QR code"
    case .tooLong: "the text is too long for a QR code"
    case .noLibrary: "libqrencode.so.4 is not there, which draws QR codes"
    case .noMemory: "there is not enough memory for a QR code"
    }
  }
}
