import Bytes
import CrashModel
import Identifiers
import SymbolSources
import Symbolication
import TestSupport
import Testing

@Suite struct RetracedReportTests {
  private static let mapping = """
    # compiler: R8
    # pg_map_id: 48ffd94
    app.tern.Desk -> a.a:
    # {"id":"sourceFile","fileName":"Desk.kt"}
        1:1:void app.tern.Till.take(int):31:31 -> a
        1:1:void pay():12 -> a
        2:2:void pay():13:13 -> a
        void one() -> b
        void two() -> b
        4:4:int caller(int):23:23 -> s
        27:27:int caller(int):0:0 -> s
        # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4},"outline":"La/o;a()I"}
    app.tern.NoBoat -> a.x:
    app.tern.Outline -> a.o:
        1:1:int outline():0:0 -> a
        # {"id":"com.android.tools.r8.outline"}

    """

  private func symbolicator(_ mappings: [String] = [mapping]) -> Symbolicator {
    let sources = mappings.enumerated().map { index, text in
      DebugFileIndex(DebugFileScanner().scan(ByteView(text.utf8), named: "mapping\(index).txt"))
    }
    return Symbolicator(sources: sources, pool: SymbolCachePool())
  }

  private func report(_ calls: [(String, String?, Int?)], type: String = "a.x") -> CrashReport {
    var report = CrashReport(format: ReportFormat("java-trace"))
    let frames = calls.map { name, file, line in
      var frame = Frame(position: .returnAddress, function: name)
      frame.file = file
      frame.line = line
      return frame
    }
    report.reason.type = type
    report.reason.message = "lost by a.a.a(7)"
    report.reason.exception = LanguageException(
      type: type, message: "lost by a.a.a(7)", frames: frames,
      inner: [
        LanguageException(type: type == "a.x" ? "a.a" : type, message: nil, frames: frames)
      ])
    return report
  }

  private func names(_ frames: [Frame]?) -> [String]? {
    frames?.map { frame in
      "\(frame.function ?? "?") \(frame.file ?? "-"):\(frame.line ?? 0)"
        + (frame.inlined ? " inlined" : "")
    }
  }

  @Test("Frames, types and messages get the names of the mapping that frames name")
  func namedByFrames() throws {
    let file = "r8-map-id-48ffd94"
    let done = try symbolicator().symbolicate(
      report([("a.a.a", file, 1), ("java.lang.Thread.run", "Thread.java", 840)]))
    let expected = [
      "app.tern.Till.take Till.java:31 inlined", "app.tern.Desk.pay Desk.kt:12",
      "java.lang.Thread.run Thread.java:840",
    ]
    #expect(names(done.reason.exception?.frames) == expected)
    #expect(names(done.reason.exception?.inner.first?.frames) == expected)
    #expect(done.reason.exception?.type == "app.tern.NoBoat")
    #expect(done.reason.type == "app.tern.NoBoat")
    #expect(done.reason.exception?.inner.first?.type == "app.tern.Desk")
    #expect(done.reason.message == "lost by a.a.a(7)".replacing("a.a.a", with: "app.tern.Desk.pay"))
    let frame = try #require(done.reason.exception?.frames.first)
    #expect(frame.symbol == "a.a.a" && frame.trust == .inline && frame.image == 0)
    #expect(done.reason.exception?.frames.last?.image == nil)
    let image = try #require(done.images.first)
    #expect(image.isManaged && image.symbols?.verdict == .found && image.symbols?.match == .id)
    #expect(image.symbols?.file == "mapping0.txt" && done.images.count == 1)
    #expect(done.engine?.debugFiles[try #require(image.debugID)] != nil)
    #expect(done.notes == [])
  }

  @Test(
    "A report that names no mapping uses the only one that is given, and says that it is not verified"
  )
  func given() throws {
    let calls = [("a.a.a", "SourceFile", 2)] as [(String, String?, Int?)]
    let done = try symbolicator().symbolicate(report(calls))
    #expect(names(done.reason.exception?.frames) == ["app.tern.Desk.pay Desk.kt:13"])
    #expect(done.images.map(\.symbols?.match) == [.name])
    #expect(done.notes.count == 1)
    // Two candidates are ambiguous.
    let other = Self.mapping.replacing("Desk", with: "Gull")
    let undone = try symbolicator([Self.mapping, other]).symbolicate(report(calls))
    #expect(names(undone.reason.exception?.frames) == ["a.a.a SourceFile:2"])
    #expect(undone.images.map(\.symbols?.verdict) == [.missing])
    #expect(undone.images.first?.symbols?.tried.map(\.verdict) == [.ambiguous])
    // A mapping with another id is another build's.
    let named = [("a.a.a", "r8-map-id-0000000", 2)] as [(String, String?, Int?)]
    let wrong = try symbolicator().symbolicate(report(named))
    #expect(wrong.images.map(\.symbols?.verdict) == [.missing])
    #expect(wrong.reason.exception?.frames.first?.image == 0)
  }

  @Test("Calls that no shrinker has changed need no mapping")
  func untouched() throws {
    var plain = report([("app.tern.Desk.pay", "Desk.kt", 12)], type: "app.tern.NoBoat")
    plain.app = AppIdentity(version: "1.4.0", build: "512")
    #expect(try symbolicator().symbolicate(plain).images == [])
    for (name, file) in [
      ("tern.a", "/srv/tern.py"), ("a.b", "a.js"), ("a", "SourceFile"), ("tern.DB.of", "DB.java"),
      ("tern.io$pay.invoke", "io.clj"), ("run.main", "run.groovy"), ("tern.DB.of", nil),
    ] as [(String, String?)] {
      let calls = report([(name, file, 1)], type: "app.tern.NoBoat")
      #expect(try symbolicator().symbolicate(calls).images == [], "\(name)")
    }
    var other = report([("t.e", nil, 1)])
    other.format = ReportFormat("javascript")
    #expect(try symbolicator().symbolicate(other).images == [])
  }

  @Test("An exception's own name may be all that is shortened")
  func typeAlone() throws {
    let plain = report([("java.lang.Thread.run", "Thread.java", 840)])
    #expect(try symbolicator().symbolicate(plain).reason.exception?.type == "app.tern.NoBoat")
    let known = report([("java.lang.Thread.run", "Thread.java", 840)], type: "java.lang.Error")
    #expect(try symbolicator().symbolicate(known).images == [])
  }

  @Test("Java's calls of a tombstone are named without their lines, in their image")
  func tombstone() throws {
    var report = CrashReport(format: ReportFormat("android-tombstone"))
    report.app = AppIdentity(version: "1.4.0")
    report.images = [LoadedImage(name: "base.odex"), LoadedImage(name: "libtern.so")]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [
          Frame(
            position: .exact, image: 1, imageOffset: ImageOffset(16), function: "a.a.a",
            symbolOffset: 4),
          Frame(
            position: .exact, image: 0, imageOffset: ImageOffset(16), function: "a.x.b",
            symbolOffset: 4),
        ])
    ]
    let done = try symbolicator().symbolicate(report)
    #expect(done.threads[0].frames.map(\.function) == ["a.a.a", "app.tern.NoBoat.b"])
    #expect(done.threads[0].frames[1].image == 0 && done.images.count == 3)
  }

  @Test("A report of a release waits for the release's mapping")
  func release() throws {
    var release = report([("a.a.a", "SourceFile", 2)])
    release.app = AppIdentity(version: "1.4.0", build: "512")
    let done = try symbolicator([]).symbolicate(release, of: "tern")
    let identity = ReleaseIdentity.ofFile(
      app: "tern", release: Release(version: "1.4.0", build: "512"), .r8)
    #expect(done.images.map(\.debugID) == [identity?.debugID])
    #expect(done.images.map(\.symbols?.verdict) == [.missing])
    #expect(names(done.reason.exception?.frames) == ["a.a.a SourceFile:2"])
  }

  @Test("An outline is merged into the call that used it, and stays if there is none")
  func outlines() throws {
    let file = "r8-map-id-48ffd94"
    let done = try symbolicator().symbolicate(
      report([("a.o.a", file, 1), ("a.a.s", file, 27), ("a.o.a", file, 1), ("a.a.a", file, 2)]))
    #expect(
      names(done.reason.exception?.frames) == [
        "app.tern.Desk.caller Desk.kt:23", "app.tern.Outline.outline Outline.java:0",
        "app.tern.Desk.pay Desk.kt:13",
      ])
  }

  @Test("A method that may be another has a note")
  func ambiguous() throws {
    let done = try symbolicator().symbolicate(report([("a.a.b", "r8-map-id-48ffd94", nil)]))
    #expect(names(done.reason.exception?.frames) == ["app.tern.Desk.one Desk.kt:0"])
    #expect(done.notes == ["a.a.b is taken for app.tern.Desk.one, and may be app.tern.Desk.two"])
  }
}
