import Bytes
import CrashModel
import Identifiers
import SymbolSources
import Symbolication
import TestSupport
import Testing

@Suite struct MappedScriptTests {
  /// A bundle with its map, and the stacks that Node printed for it and for its source:
  /// `Symbols/recipes/scripts.sh`.
  private static let folder = Samples.debugFile("scripts")

  private func symbolicator(_ paths: [String]) -> Symbolicator {
    Symbolicator(
      sources: [DebugFileIndex(DebugFileScanner().scan(paths))], pool: SymbolCachePool())
  }

  /// A map of one segment: line 1, column 1 of the script is line 8 of `src/till.js`.
  private static func map(_ more: String = "", name: String = "") -> String {
    #"{"version":3,\#(more)"sources":["src/till.js"],"names":["\#(name)"],"#
      + #""mappings":"\#(name.isEmpty ? "AAOA" : "AAOAA")"}"#
  }

  private func symbolicator(map text: String, named name: String) -> Symbolicator {
    let scan = DebugFileScanner().scan(ByteView(text.utf8), named: name)
    return Symbolicator(sources: [DebugFileIndex(scan)], pool: SymbolCachePool())
  }

  private func report(_ calls: [(String?, String, Int, Int?)]) -> CrashReport {
    var report = CrashReport(format: ReportFormat("javascript"))
    let frames = calls.map { function, file, line, column in
      Frame(position: .returnAddress, function: function, file: file, line: line, column: column)
    }
    report.reason.exception = LanguageException(type: "Error", message: "m", frames: frames)
    return report
  }

  /// The calls of a stack of V8, those outside of files left out.
  private func calls(_ text: String) -> [(String?, String, Int, Int?)] {
    text.split(separator: "\n").compactMap { line in
      guard let start = line.firstRange(of: "at "), line.contains("/srv/tern/"),
        line.prefix(while: { $0 == " " }).count > 2
      else { return nil }
      let call = line[start.upperBound...].filter { !"){".contains($0) }.trimming
      let parts = call.split(separator: "(").map { String($0).trimming }
      let place = (parts.last ?? "").split(separator: ":").map(String.init)
      guard place.count == 3, let number = Int(place[1]), let column = Int(place[2]) else {
        return nil
      }
      return (parts.count > 1 ? parts[0] : nil, place[0], number, column)
    }
  }

  /// - Parameter hasColumns: A map may give the start of the expression around a call.
  private func shown(_ frames: [Frame]?, hasColumns: Bool = true) -> [String]? {
    frames?.map { frame in
      let file = frame.file?.split(separator: "/").last ?? "-"
      let place = "\(frame.function ?? "?") \(file):\(frame.line ?? 0)"
      return hasColumns ? "\(place):\(frame.column ?? 0)" : place
    }
  }

  @Test("A minified program's stack becomes that of its source")
  func sample() throws {
    let minified = try calls(ByteView(reading: Self.folder + "/minified.txt", limit: 1 << 16).text)
    let source = try calls(ByteView(reading: Self.folder + "/source.txt", limit: 1 << 16).text)
    #expect(minified.count == 6 && source.count == 6)
    let done = try symbolicator([Self.folder]).symbolicate(report(minified))
    #expect(
      shown(done.reason.exception?.frames, hasColumns: false)
        == shown(report(source).reason.exception?.frames, hasColumns: false))
    #expect(done.reason.exception?.frames.first?.symbol == "i")
    let image = try #require(done.images.first)
    #expect(
      image.name == "tern.min.js" && image.architecture == .javaScript && done.images.count == 1)
    #expect(image.symbols?.verdict == .found && image.symbols?.match == .name)
    #expect(image.symbols?.file == "tern.min.js.map")
    #expect(done.notes.contains { $0.contains("tern.min.js.map") })
    #expect(done.engine?.debugFiles.count == 1)
  }

  @Test("A map is found by its id; the map of another build is never used for it")
  func byID() throws {
    let id = "6c1b8a1e-52b4-4a6f-9c1e-0123456789ab"
    var report = report([("e", "https://shop.example/static/js/main.js?v=2", 1, 5)])
    var image = LoadedImage(
      name: "main.js", path: "https://shop.example/static/js/main.js?v=2", architecture: .javaScript
    )
    image.debugID = DebugID(id)
    report.images = [image]
    let right = Self.map(#""debugId":"\#(id)","#)
    let found = try symbolicator(map: right, named: "other.js.map").symbolicate(report)
    #expect(shown(found.reason.exception?.frames) == ["? till.js:8:1"])
    #expect(found.images.first?.symbols?.match == .id)
    #expect(found.images.count == 1 && found.notes.isEmpty)
    let wrong = try symbolicator(map: Self.map(), named: "main.js.map").symbolicate(report)
    #expect(
      wrong.reason.exception?.frames.first?.file == report.reason.exception?.frames.first?.file)
    #expect(wrong.reason.exception?.frames.first?.image == 0)
    #expect(wrong.images.first?.symbols?.verdict == .missing)
  }

  /// A store in which maps have the ids of releases.
  private struct Releases: SymbolSource {
    var maps: [(DebugID?, CodeID?, String)]

    func candidates(for image: LoadedImage) -> [DebugFile] { [] }
    func mappings(for image: LoadedImage) -> [MappingFile] {
      maps.filter {
        $0.0 != nil && $0.0 == image.debugID || $0.1 != nil && $0.1 == image.codeID
      }.flatMap { DebugFileScanner().scan(ByteView($0.2.utf8), named: "main.js.map").mappings }
    }
  }

  @Test("The map of a build overrides that of all builds, two for one build are ignored")
  func byRelease() throws {
    var report = report([("e", "https://shop.example/main.js", 1, 5)])
    report.app = AppIdentity(name: "shop", identifier: nil, version: "1.2", build: "7")
    let build = Release(version: "1.2", build: "7")
    let all = Release(version: "1.2", build: "")
    func id(_ release: Release) throws -> MappingFile.Identity {
      try #require(ReleaseIdentity.ofFile(app: "shop", release: release, .sourceMap, of: "main.js"))
    }
    func line(_ maps: [(MappingFile.Identity, String)]) throws -> Int? {
      let source = Releases(maps: maps.map { ($0.0.debugID, $0.0.codeID, $0.1) })
      let done = try Symbolicator(sources: [source], pool: SymbolCachePool())
        .symbolicate(report, of: "shop")
      return done.reason.exception?.frames.first?.line
    }
    let eight = Self.map()
    let nine = eight.replacing("AAOA", with: "AAQA")
    #expect(try line([(id(build), nine), (id(all), eight)]) == 9)
    #expect(try line([(id(all), eight)]) == 8)
    #expect(try line([(id(build), eight), (id(build), nine)]) == 1)
    #expect(try line([(id(Release(version: "1.3", build: "7")), eight)]) == 1)
  }

  @Test("Without an id the best matching path counts, and two equal ones are ambiguous")
  func byPath() throws {
    func index(_ names: [String]) -> Symbolicator {
      var scan = DebugFileScan()
      for (number, name) in names.enumerated() {
        let text = Self.map(#""file":"\#(name)","x_number":\#(number),"#)
        scan.mappings +=
          DebugFileScanner().scan(ByteView(text.utf8), named: "\(number).map").mappings
      }
      return Symbolicator(sources: [DebugFileIndex(scan)], pool: SymbolCachePool())
    }
    let report = report([("e", "app:///static/admin/index.js", 1, 1)])
    let best = try index(["/static/shop/index.js", "/static/admin/index.js"]).symbolicate(report)
    #expect(best.images.first?.symbols?.file == "1.map")
    let both = try index(["/a/index.js", "/b/index.js"]).symbolicate(report)
    #expect(both.images.isEmpty, "a hand-written script needs no map")
    let generated = self.report([("e", "app:///index.android.bundle", 1, 1)])
    let two = try index(["/a/index.android.bundle", "/b/index.android.bundle"]).symbolicate(
      generated)
    #expect(two.images.first?.symbols?.verdict == .missing)
    #expect(two.images.first?.symbols?.tried.first?.verdict == .ambiguous)
    let other = try index(["/a/other.js"]).symbolicate(generated)
    #expect(other.images.first?.symbols?.verdict == .missing, "the map of another script")
    let nameless = try index(["/a/other"]).symbolicate(generated)
    #expect(nameless.images.first?.symbols?.file == "0.map")
  }

  @Test("Only generated code waits for a map")
  func waiting() throws {
    let symbolicator = symbolicator([])
    for (file, column, waits) in [
      ("/srv/cart.js", 9, false), ("/srv/cart.js", 2000, true), ("main.3fa9c1d2.js", 9, true),
      ("index.android.bundle", 9, true), ("/srv/shop.min.js", 9, true),
      ("/srv/cart.py", 2000, false),
      ("https://shop.example/", 2000, false),
    ] {
      let done = try symbolicator.symbolicate(report([("e", file, 1, column)]))
      #expect((done.images.first?.symbols?.verdict == .missing) == waits, "\(file):\(column)")
    }
    let hashed = try symbolicator.symbolicate(report([("e", "main.3fa9c1d2.js", 1, 9)]))
    let map = try self.symbolicator(map: Self.map(), named: "main.3fa9c1d2.js.map")
      .symbolicate(report([("e", "https://shop.example/main.3fa9c1d2.js", 1, 9)]))
    #expect(map.images.first?.symbols?.match == .id, "no other build has the name")
    #expect(map.images.first?.debugID == hashed.images.first?.debugID)
  }

  @Test("Without the functions of the source, the caller's name for the call counts")
  func callSite() throws {
    let symbolicator = symbolicator(map: Self.map(name: "total"), named: "a.min.js.map")
    let frames = try symbolicator.symbolicate(
      report([
        ("e", "a.min.js", 1, 1), ("async t", "a.min.js", 1, 1), ("Cart.sum", "a.min.js", 1, 1),
        (nil, "a.min.js", 1, 1),
      ])
    ).reason.exception?.frames
    #expect(frames?.map(\.function) == ["total", "async total", "total", nil])
  }

  @Test("Packages and a bundler's own code are not the app's")
  func inApp() throws {
    for (source, inApp) in [
      ("webpack:///./src/till.js?1a2b", nil), ("webpack:///webpack/bootstrap", false),
      ("webpack://shop/./node_modules/react/index.js", false), ("../node_modules/a/b.js", false),
    ] as [(String, Bool?)] {
      let text = Self.map().replacing("src/till.js", with: source)
      let frame = try symbolicator(map: text, named: "a.min.js.map")
        .symbolicate(report([("e", "a.min.js", 1, 1)])).reason.exception?.frames.first
      #expect(frame?.inApp == inApp, "\(source)")
      if inApp == nil { #expect(frame?.file == "webpack:///src/till.js") }
    }
  }
}

extension StringProtocol {
  fileprivate var trimming: String {
    String(drop(while: { $0 == " " }).reversed().drop(while: { $0 == " " }).reversed())
  }
}
