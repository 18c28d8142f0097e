internal import Bytes
internal import HTTP
internal import Rendering
internal import Updates

/// A file that was handed over, by its name and its first bytes.
struct HandedFile {
  let part: FormPart
  let name: String
  private let head: ByteView

  /// Bytes of the start that are looked at.
  private static let headBytes = 512

  init(_ part: FormPart) throws {
    self.part = part
    let last = (part.fileName ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    name = last.isEmpty ? "file" : last
    head = try part.read().clamped(0..<Self.headBytes)
  }

  /// Why it is not taken as a crash file: what it is, and where it belongs; `nil` for a file that may be one.
  var refusal: HTML? {
    if head.isEmpty { return "an empty file" }
    if let magic = FileMagic(of: head), magic.isDebugFile {
      return
        "a program or debug file, which belongs on the page of <a href=\"/symbols\">symbols</a>"
    }
    if let kind = ArtefactKind(fileName: name), kind != .zip {
      return "a file of a release, which belongs on the page of <a href=\"/releases\">releases</a>"
    }
    if let picture = Self.pictures.first(where: { head.starts(with: $0.mark) }) {
      return "\(picture.words), which may go with a crash file: choose it as an attachment"
    }
    return nil
  }

  private static let pictures: [(mark: [UInt8], words: String)] = [
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "a PNG picture"),
    ([0xff, 0xd8, 0xff], "a JPEG picture"), (Array("GIF8".utf8), "a GIF picture"),
    (Array("%PDF".utf8), "a PDF document"), (Array("RIFF".utf8), "a picture, sound or video"),
    ([0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70], "a video"),
    ([0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70], "a video"),
  ]

  /// The first bytes of a file that begins neither as text nor as a known kind: `89 50 4e 47`.
  var firstBytes: String? {
    let start = head.clamped(0..<16).array
    guard FileMagic(of: head) == nil, start.contains(where: { $0 < 9 || (14..<32).contains($0) })
    else { return nil }
    return start.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
  }
}
