import Bytes
import CrashModel
import Identifiers
import SymbolSources
import Symbolication
import TestSupport
import Testing

@Suite struct MappedDotNetTests {
  private func report(_ calls: [(String?, UInt64)]) -> CrashReport {
    var report = CrashReport(format: ReportFormat("sentry-event"))
    var image = LoadedImage(name: "Shop.dll", path: "C:\\Shop\\Shop.dll", architecture: .cil)
    image.debugID = DebugID("01020304-0506-0708-090a-0b0c0d0e0f10-deadbeef")
    report.images = [image]
    let frames = calls.map { symbol, offset in
      var frame = Frame(position: .adjusted, image: 0, imageOffset: ImageOffset(offset))
      frame.function = "Shop.Cart.Total"
      frame.symbol = symbol
      return frame
    }
    report.reason.exception = LanguageException(type: "E", message: "m", frames: frames)
    return report
  }

  private func symbolicator(_ bytes: [UInt8]) -> Symbolicator {
    let scan = DebugFileScanner().scan(ByteView(bytes), named: "Shop.pdb")
    return Symbolicator(sources: [DebugFileIndex(scan)], pool: SymbolCachePool())
  }

  @Test("Calls get the lines of their portable PDB by method and offset")
  func lines() throws {
    let done = try symbolicator(PortablePDBSample.bytes).symbolicate(
      report([
        ("0x6000001", 5), ("0x6000001", 304), ("0x6000002", 0), ("0x5000001", 5), (nil, 5),
      ]))
    let frames = try #require(done.reason.exception?.frames)
    #expect(frames.map(\.line) == [300, 200, nil, nil, nil])
    #expect(frames.first?.file == "/src/Cart.cs" && frames.first?.column == 9)
    #expect(frames.first?.function == "Shop.Cart.Total")
    let image = try #require(done.images.first)
    #expect(image.symbols?.verdict == .found && image.symbols?.file == "Shop.pdb")
    #expect(done.engine?.debugFiles[try #require(image.debugID)]?.count == 64)
  }

  @Test("Another build's portable PDB is not used")
  func otherBuild() throws {
    var bytes = PortablePDBSample.bytes
    let id = try #require(bytes.firstRange(of: PortablePDBSample.id))
    bytes[id.lowerBound] ^= 1
    let done = try symbolicator(bytes).symbolicate(report([("0x6000001", 5)]))
    #expect(done.reason.exception?.frames.first?.line == nil)
    #expect(done.images.first?.symbols?.verdict == .missing)
  }
}
