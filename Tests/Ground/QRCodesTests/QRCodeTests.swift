import TestSupport
import Testing

@testable import QRCodes

@Suite("QR codes") struct QRCodeTests {
  private static let address = "https://crashes.example.org/install/apps/Tern"

  /// The picture as a portable bitmap, each module four dots wide.
  private func bitmap(_ code: QRCode) -> [UInt8] {
    let (scale, margin) = (4, QRCode.margin)
    let side = code.size + 2 * margin
    var text = "P1\n\(side * scale) \(side * scale)\n"
    for y in 0..<side * scale {
      for x in 0..<side * scale {
        let (row, column) = (y / scale - margin, x / scale - margin)
        let isInside = (0..<code.size).contains(row) && (0..<code.size).contains(column)
        text += isInside && code.modules[row * code.size + column] ? "1 " : "0 "
      }
      text += "\n"
    }
    return Array(text.utf8)
  }

  @Test("A code has its three corners, and a bar in its path for each run of dark modules")
  func shape() throws {
    let code = try QRCode(of: Self.address)
    #expect(code.size == 33 && code.modules.count == 33 * 33)
    func isDark(_ row: Int, _ column: Int) -> Bool { code.modules[row * code.size + column] }
    // Each corner but the lower right one has a square of seven dark modules, and a light one inside.
    for (row, column) in [(0, 0), (0, 26), (26, 0)] {
      #expect((0..<7).allSatisfy { isDark(row, column + $0) && isDark(row + $0, column) })
      #expect((1..<6).allSatisfy { !isDark(row + 1, column + $0) })
    }
    #expect(code.path.hasPrefix("M4 4h7v1h-7z"))
    let dark = code.path.split(separator: "M").compactMap { bar in
      bar.split(separator: "h").dropFirst().first.flatMap { Int($0.prefix { $0 != "v" }) }
    }
    #expect(dark.reduce(0, +) == code.modules.count { $0 })
  }

  @Test(
    "Another reader reads the text again",
    .enabled(if: OtherTool.path("zbarimg") != nil, "zbar-tools is not installed"))
  func decoded() throws {
    let folder = ScratchFolder()
    for text in [Self.address, "x", "https://a.example/install/apps/T%C3%A9rn%20%26%20S%C3%B6hne"] {
      let file = folder.write("code.pbm", bitmap(try QRCode(of: text)))
      let read = try #require(OtherTool.output(of: "zbarimg --quiet --raw \(file)"))
      #expect(read == text + "\n")
    }
  }

  @Test("What does not fit is refused, and the longest text that does is drawn")
  func limits() throws {
    #expect(throws: QRCodeError.empty) { try QRCode(of: "") }
    #expect(throws: QRCodeError.tooLong) { try QRCode(of: String(repeating: "a", count: 2_332)) }
    #expect(throws: QRCodeError.tooLong) {
      try QRCode(of: String(repeating: "a", count: 1_000_000))
    }
    #expect(try QRCode(of: String(repeating: "a", count: 2_331)).size == 177)
    #expect(try QRCode(of: "\u{0}").size == 21)
  }
}
