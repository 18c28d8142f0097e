import Bytes
import CrashModel
import Database
import Glibc
import Identifiers
import JSON
import TestSupport
import Testing

@testable import CrashService
@testable import CrashStore
@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("Symbol coverage", .serialized)
struct SymbolCoverageTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }

  private static let ios = Samples.symbols + "/1.1.0/ios"
  private static let iosID = "4c4c44b7-5555-3144-a18a-59939281a181"

  @Test("Missing debug files are ranked by what they would explain, with advice for each")
  func missing() throws {
    #expect(mayday("apps", "add", "Tern").status == 0)
    #expect(mayday("symbols", "missing", "--json").output == "[]\n")
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    let images = try #require(mayday("symbols", "missing", "--limit", "0", "--json").json.array)
    // First those that decide about signatures, then by reports.
    let ranks = images.map {
      ($0["provisional_groups"]?.integer ?? 0) > 0 ? Int.max : $0["reports"]?.integer ?? 0
    }
    #expect(ranks == ranks.sorted(by: >) || images[0]["in_app"]?.bool == true)
    #expect(images[0]["name"]?.string == "Tern" && images[0]["advice"]?["kind"]?.string == "build")
    let own = try #require(images.first { $0["debug_id"]?.string == Self.iosID })
    #expect(own["builds"]?[0]?["version"]?.string == "1.1.0")
    #expect(own["builds"]?[0]?["build"]?.string == "117")
    #expect(own["advice"]?["commands"]?[0]?.string == "mayday symbols add Tern.xcarchive")
    let system = try #require(images.first { $0["name"]?.string == "libsystem_kernel.dylib" })
    #expect(system["advice"]?["kind"]?.string == "apple-system")
    #expect(system["in_app"]?.bool == false && system["provisional_groups"]?.integer == 0)
    let device = try #require(
      images.first { $0["systems"]?[0]?["name"]?.string == "iOS" && $0["in_app"]?.bool == false })
    #expect(
      device["advice"]?["folders"]?[0]?.string?.hasPrefix("iOS DeviceSupport/iPhone") == true)
    let text = mayday("symbols", "missing", "--limit", "3")
    #expect(text.output.contains("which become real") && text.errors.contains("--limit 0"))
    #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // The counts match the listed images.
    for image in images {
      let id = image["debug_id"]?.string ?? ""
      let count = try Connection(opening: home + "/mayday.db").integer(
        """
        SELECT count(*) FROM waiting JOIN image_numbers ON image_numbers.id = image
        WHERE debug_id = ?1 AND named = 0
        """, id)
      #expect(count == image["reports"]?.integer)
    }
    // With a query, only its reports are counted.
    let queried = try #require(
      mayday("symbols", "missing", "version:1.1.0", "--limit", "0", "--json").json.array)
    #expect(!queried.isEmpty && queried.count < images.count)
    #expect(queried.contains { $0["debug_id"]?.string == Self.iosID })
    #expect(
      !queried.contains {
        $0["builds"]?[0]?["version"]?.string == "1.0.0"
          && $0["in_app"]?.bool == true
      })
    let all = mayday("symbols", "missing", "version:>=0", "--limit", "0", "--json")
    #expect(all.json == mayday("symbols", "missing", "--limit", "0", "--json").json)
    #expect(mayday("symbols", "missing", "--app", "Turn").status == 3)
    // With its debug file, it is not missing any more.
    #expect(mayday("symbols", "add", Self.ios).status == 0)
    let rest = try #require(mayday("symbols", "missing", "--limit", "0", "--json").json.array)
    #expect(!rest.contains { $0["debug_id"]?.string == Self.iosID })
    try StoreCounts.check(home)
  }

  @Test(
    "Images whose functions and lines came with a report are not missing",
    arguments: [
      "apple-ips/null-read-1.1.0-macos-arm64-symbolicated.ips",
      "swift-backtrace/arithmetic-overflow-1.0.0-release.txt",
      "sanitizer/data-race-tsan-1.1.0-gcc-O1-symbolized.txt",
    ])
  func named(sample: String) throws {
    let triage = Run(["triage", Samples.path(sample), "--json"])
    let untold = try #require(triage.json["missing_symbols"]?.array)
    #expect(!untold.contains { $0["in_app"]?.bool == true })
    let ingest = mayday("ingest", Samples.path(sample))
    #expect(ingest.status == 0, "\(ingest.errors)")
    #expect(!ingest.errors.contains("symbols missing for"), "\(ingest.errors)")
    let id = mayday("reports", "--quiet").output.filter { !$0.isWhitespace }
    #expect(mayday("show", id).output.contains("came with the"))
    let images = try #require(mayday("symbols", "missing", "--limit", "0", "--json").json.array)
    #expect(!images.contains { $0["in_app"]?.bool == true })
    try StoreCounts.check(home)
  }

  @Test("An image that one report names, and another does not, is missing for the other")
  func namedByOne() throws {
    let sample = Samples.path("apple-ips/null-read-1.1.0-macos-arm64")
    for end in ["-symbolicated.ips", ".ips"] {
      #expect(mayday("ingest", sample + end, "--app", "Tern").status == 0)
    }
    let images = try #require(mayday("symbols", "missing", "--limit", "0", "--json").json.array)
    let own = images.filter { $0["in_app"]?.bool == true }
    #expect(own.map { $0["reports"]?.integer } == [1])
    try StoreCounts.check(home)
  }

  @Test("A library of a distribution: debuginfod's path, the command and the package")
  func distribution() {
    func advice(_ name: String, _ system: String, path: String? = nil) -> SymbolAdvice {
      SymbolAdvice(
        for: MissingImage(
          debugID: DebugID(uuid: [1]), codeID: CodeID("ab12"), name: name, path: path, isOwn: false,
          hasDebugFile: false, reports: 1, groups: 1, provisionalGroups: 0, builds: [],
          systems: [.init(name: system, version: "12", build: "", model: "")]))
    }
    let libc = advice("libc.so.6", "Debian GNU/Linux", path: "/lib/x86_64-linux-gnu/libc.so.6")
    #expect(libc.kind == .distribution && libc.package == "libc6-dbg")
    #expect(libc.path == "/buildid/ab12/debuginfo")
    #expect(libc.commands == ["mayday symbols add \"$(debuginfod-find debuginfo ab12)\""])
    #expect(advice("libcrypto.so.3", "Fedora Linux").package == "openssl-debuginfo")
    #expect(advice("libc.so.6", "Linux", path: "libc.so.6").kind == .distribution)
    #expect(advice("libfoo.so", "Fedora Linux").kind == .unknown)
    #expect(advice("libfoo.so", "Linux", path: "/usr/lib/libfoo.so.1").package == nil)
  }

  @Test("A script's map is requested for its build, whatever system the reports come from")
  func scripts() {
    func advice(_ architecture: Architecture, _ id: DebugID?, version: String) -> SymbolAdvice {
      var image = MissingImage(
        debugID: id, codeID: nil, name: "main.jsbundle", path: nil, isOwn: false,
        hasDebugFile: false, reports: 1, groups: 1, provisionalGroups: 0,
        builds: [.init(app: "tern", release: Release(version: version, build: "512"))],
        systems: [.init(name: "iOS", version: "17", build: "", model: "")])
      image.architecture = architecture
      return SymbolAdvice(for: image)
    }
    let id = DebugID(uuid: [1])
    #expect(
      advice(.javaScript, id, version: "1.4.0").commands
        == ["mayday symbols add main.jsbundle.map --app 'tern' --release '1.4.0 (512)'"])
    #expect(
      advice(.javaScript, id, version: "").commands == ["mayday symbols add main.jsbundle.map"])
    #expect(
      advice(.javaScript, nil, version: "").commands
        == ["mayday symbolicate REPORT --symbols main.jsbundle.map"])
    #expect(advice(.cil, id, version: "1.4.0").text.first?.hasPrefix("The portable PDB") == true)
  }

  @Test("A core's libraries name their packages, with the version and the debuginfod server")
  func packageNotes() throws {
    let id = [UInt8](repeating: 0xab, count: 20)
    let hex = String(repeating: "ab", count: 20)
    func core(_ package: String?) -> [UInt8] {
      var core = CoreBuilder()
      core.thread(id: 5, signal: 11, rip: 0x1_0010, rsp: 0, rbp: 0)
      core.signal(11, code: 1, address: package == nil ? 8 : 16)
      core.files([(0x1_0000, 0x1_1000, 0, "/opt/gull/bin/gull")])
      core.memory(
        at: 0x1_0000, core.firstPage(size: 0x1000, buildID: id, package: package), flags: 5)
      return core.bytes()
    }
    let note = """
      {"type":"rpm","name":"gull","version":"2.1-4.fc40","architecture":"x86_64",\
      "osCpe":"cpe:/o:fedoraproject:fedora:40","debugInfoUrl":"https://debug.example.org/"}
      """
    #expect(mayday("apps", "add", "Gull").status == 0)
    // Another core has no notes about its libraries.
    for (name, package) in [("plain.core", nil), ("noted.core", note), ("again.core", nil)] {
      folder.write(name, core(package))
      let run = mayday("ingest", folder.path(name))
      #expect(run.status == 0, "\(run.errors)")
    }
    let image = try #require(mayday("symbols", "missing", "--json").json[0])
    #expect(image["package"]?["name"]?.string == "gull")
    #expect(image["package"]?["version"]?.string == "2.1-4.fc40")
    #expect(image["advice"]?["kind"]?.string == "distribution")
    #expect(image["advice"]?["package"]?.string == "gull-debuginfo-2.1-4.fc40.x86_64")
    #expect(
      image["advice"]?["commands"]?[0]?.string
        == "mayday symbols add "
        + "\"$(DEBUGINFOD_URLS=https://debug.example.org/ debuginfod-find debuginfo \(hex))\"")
    let text = mayday("symbols", "missing").output
    #expect(text.contains("From the package gull 2.1-4.fc40"))
    #expect(text.contains("Debug information: gull-debuginfo-2.1-4.fc40.x86_64"))
    #expect(text.contains("debuginfod server: https://debug.example.org/"))
    try StoreCounts.check(home)
  }

  @Test("The advice for a package that a library names")
  func packageAdvice() {
    func advice(_ name: String, _ package: ImagePackage) -> SymbolAdvice {
      var image = MissingImage(
        debugID: DebugID(uuid: [1]), codeID: CodeID("ab12"), name: name,
        path: "/usr/lib/\(name)", isOwn: false, hasDebugFile: false, reports: 1, groups: 1,
        provisionalGroups: 0, builds: [], systems: [])
      image.package = package
      return SymbolAdvice(for: image)
    }
    var package = ImagePackage(
      type: "deb", name: "glibc", version: "2.39-0ubuntu8", architecture: "amd64",
      os: "ubuntu")
    let libc = advice("libc.so.6", package)
    #expect(libc.package == "libc6-dbg=2.39-0ubuntu8")
    #expect(libc.text[0] == "From the package glibc 2.39-0ubuntu8 (deb, amd64, ubuntu).")
    #expect(libc.commands == ["mayday symbols add \"$(debuginfod-find debuginfo ab12)\""])
    let other = advice("libgull.so.1", package)
    #expect(other.package == nil && other.text[1].contains("-dbgsym"))
    #expect(advice("x", ImagePackage(name: "x")).text == ["From the package x."])
    // The server comes from the binary, and the text is run by a shell.
    for url in [
      "https://x.org/$(id)", "https://x.org/ ;id", "https://x.org/'", "file:///etc", "x",
      "https://x.org/`id`", "https://x.org/\n", "https://" + String(repeating: "x", count: 300),
    ] {
      package.debugInfoURL = url
      let hostile = advice("libgull.so.1", package)
      #expect(hostile.commands == libc.commands)
      #expect(!hostile.text.joined().contains("server"))
    }
  }

  // MARK: Checking a build

  /// A build is checked without a home, unless one is named.
  private func check(_ words: String...) -> Run {
    Run(["symbols", "check"] + words, environment: ["XDG_DATA_HOME": folder.path("data")])
  }

  @Test("A build with all of its debug files is complete")
  func complete() throws {
    let run = check(Self.ios, "--json")
    #expect(run.status == 0 && run.json["complete"]?.bool == true, "\(run.output)\(run.errors)")
    #expect(run.json["files"]?[0]?["verdict"]?.string == "ok")
    #expect(access(folder.path("data"), F_OK) != 0)
    let text = check(Samples.symbols)
    #expect(text.status == 0 && text.errors.contains("complete"))
  }

  @Test("Missing files are reported with a verdict, and the check fails")
  func incomplete() throws {
    func verdicts(_ paths: String...) -> [String] {
      let run = Run(
        ["symbols", "check"] + paths + ["--json"],
        environment: ["XDG_DATA_HOME": folder.path("data")])
      #expect(run.status == 6, "\(run.errors)")
      #expect(run.json["complete"]?.bool == false)
      return run.json["files"]?.array?.compactMap { $0["verdict"]?.string }.sorted() ?? []
    }
    #expect(verdicts(Self.ios + "/Tern") == ["no-lines"])
    let variants = Samples.debugFile("variants/")
    #expect(verdicts(variants + "stripped") == ["stripped"])
    let cut = folder.write("cut", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0])
    #expect(verdicts(cut) == ["damaged"])
    // Programs of MinGW have no CodeView record unless they are linked with --build-id.
    #expect(verdicts(Samples.debugFile("windows/exports.dll")) == ["no-id"])
    // A stripped program beside the debug file of another build of it.
    let program = folder.write("other/stripped", try Samples.contents(of: variants + "stripped"))
    folder.write("other/stripped.debug", try Samples.contents(of: variants + "dwarf4-gcc"))
    #expect(verdicts(program, folder.path("other/stripped.debug")) == ["ok", "wrong-id"])
    let text = check(Self.ios + "/Tern")
    #expect(text.output.contains("no lines") && text.errors.contains("incomplete"))
    #expect(
      check(Self.ios + "/Tern", "--except", "Ter*").status == 1)
    let empty = folder.write("empty/notes.txt", Array("words".utf8))
    #expect(check(empty).status == 1)
    #expect(mayday("symbols", "check", empty).status == 3, "a home that is named has to be there")
  }

  @Test("The store's debug files count; with a release, its reports count, too")
  func release() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    let before = mayday("symbols", "check", Self.ios, "--release", "1.1.0 (117)", "--json")
    #expect(before.status == 6)
    let missing = before.json["missing"]?.array ?? []
    #expect(missing.contains { $0["debug_id"]?.string == Self.iosID })
    #expect(!missing.contains { $0["builds"]?[0]?["version"]?.string == "1.0.0" })
    // The other builds of that release are still missing.
    let added = mayday(
      "symbols", "check", Self.ios, "--release", "1.1.0 (117)", "--app", "Tern", "--add", "--json")
    #expect(added.status == 6)
    #expect(
      added.json["missing"]?.array?.contains { $0["debug_id"]?.string == Self.iosID } == false)
    let all = Samples.symbols + "/1.1.0"
    #expect(mayday("symbols", "check", all, "--release", "1.1.0", "--add").status == 0)
    // The program alone is enough, together with the stored files.
    #expect(mayday("symbols", "check", Self.ios + "/Tern").status == 0)
    #expect(mayday("symbols", "check", all, "--release", " ").status == 2)
    try StoreCounts.check(home)
  }

  // MARK: Removing

  private func files() -> [String] {
    mayday("symbols", "list", "--json").json.array?.compactMap { $0["digest"]?.string } ?? []
  }

  @Test("Files that reports need are kept unless forced; results stay as they are")
  func remove() throws {
    #expect(mayday("symbols", "add", Samples.symbols).status == 0)
    #expect(
      mayday("ingest", Samples.path(Samples.apple)).status == 0)
    let before = StoreFacts(home)
    let refused = mayday("symbols", "remove", Self.iosID)
    #expect(refused.status == 1 && refused.errors.contains("--force"), "\(refused.errors)")
    #expect(files().count == 12)
    let dry = mayday("symbols", "remove", Self.iosID, "--force", "--dry-run", "--json")
    #expect(dry.json["removed"]?.array?.count == 2 && files().count == 12)
    let digests = dry.json["removed"]?.array?.compactMap { $0["digest"]?.string } ?? []
    let run = mayday("symbols", "remove", Self.iosID, "--force")
    #expect(run.status == 0 && run.errors.contains("2 debug files removed"), "\(run.errors)")
    #expect(files().count == 10)
    for digest in digests {
      #expect(access("\(home)/blobs/\(digest.prefix(2))/\(digest)", F_OK) != 0)
      #expect(try !folder.names("home/caches").contains { $0.hasPrefix(digest) })
    }
    #expect(StoreFacts(home) == before)
    // Explained frames stay even if the report is reprocessed for another file.
    do {
      let database = try Connection(opening: home + "/mayday.db")
      try database.execute("INSERT INTO redo (app, report) SELECT app, id FROM reports")
    }
    #expect(mayday("symbols", "retry").status == 0)
    #expect(StoreFacts(home) == before)
    let document = mayday("show", before.reports[0].id, "--json")
    #expect(document.output.contains("/app/src/"))
    #expect(mayday("symbols", "remove", "0000").status == 3)
    let other = files()[0]
    #expect(mayday("symbols", "remove", String(other.prefix(12))).status == 0)
    #expect(!files().contains(other))
  }

  @Test(
    "Files go that nothing needs, those first that were needed longest ago, until the rest fits")
  func collect() throws {
    #expect(mayday("symbols", "gc").status == 2)
    #expect(mayday("apps", "add", "Tern").status == 0)
    #expect(mayday("symbols", "gc", "--older-than", "90d", "--json").json["bytes"]?.integer == 0)
    #expect(mayday("symbols", "add", Samples.symbols + "/1.0.0").status == 0)
    #expect(
      mayday(
        "symbols", "add", Samples.symbols + "/1.1.0", "--release", "1.1.0 (117)", "--app", "Tern"
      )
      .status == 0)
    #expect(mayday("ingest", Samples.path(Samples.apple)).status == 0)
    let young = mayday("symbols", "gc", "--keep-bytes", "0", "--json")
    #expect(
      young.json["removed"]?.array?.isEmpty == true && young.errors.contains("over the limit"))
    let dry = mayday("symbols", "gc", "--keep-bytes", "0", "--grace", "0", "--dry-run", "--json")
    #expect(dry.json["removed"]?.array?.count == 6, "\(dry.output)")
    #expect(files().count == 12)
    // Files that only older releases have.
    #expect(
      mayday("ingest", Samples.path("apple-crash/abort-1.0.0-ios-arm64.crash")).status == 0)
    let releases = mayday(
      "symbols", "gc", "--keep-releases", "1", "--force", "--grace", "0", "--json")
    let gone = releases.json["removed"]?.array ?? []
    #expect(!gone.isEmpty && gone.allSatisfy { $0["reason"]?.string == "only in older releases" })
    #expect(gone.allSatisfy { $0["builds"]?[0]?["version"]?.string == "1.0.0" })
    let left = files()
    #expect(left.count == 12 - gone.reduce(0) { $0 + ($1["debug_ids"]?.array?.count ?? 0) })
    let budget = mayday("symbols", "gc", "--keep-bytes", "100kB", "--grace", "0", "--json")
    #expect((budget.json["bytes_left"]?.integer ?? .max) <= 103_000, "\(budget.output)")
    // The report's files are still there.
    #expect(mayday("symbols", "show", Self.iosID).status == 0)
    let last = mayday("symbols", "gc", "--keep-bytes", "0", "--grace", "0")
    #expect(last.errors.contains("stored reports need them"))
    #expect(mayday("symbols", "show", Self.iosID).status == 0)
    #expect(
      mayday("symbols", "gc", "--keep-bytes", "0", "--grace", "0", "--force").status == 0)
    #expect(files().isEmpty)
    #expect(
      try folder.names("home/blobs").filter { $0.count == 2 }.allSatisfy {
        try folder.names("home/blobs/\($0)").isEmpty
      })
  }

  @Test("A file that was used for one run is not forgotten when a report is reprocessed")
  func lent() throws {
    let sample = Samples.path(Samples.apple)
    let symbols = Self.ios + "/Tern.app.dSYM"
    #expect(mayday("ingest", sample, "--symbols", symbols).status == 0)
    let before = StoreFacts(home)
    do {
      let database = try Connection(opening: home + "/mayday.db")
      try database.execute("INSERT INTO redo (app, report) SELECT app, id FROM reports")
    }
    let run = mayday("symbols", "retry")
    #expect(run.errors.contains("1 report reprocessed"), "\(run.errors)")
    #expect(StoreFacts(home) == before)
    let document = mayday("show", before.reports[0].id, "--json")
    #expect(document.output.contains("/app/src/"))
  }
}

/// Stored counts of waiting reports, against a recount.
enum StoreCounts {
  static func check(_ home: String, _ location: SourceLocation = #_sourceLocation) throws {
    let database = try Connection(opening: home + "/mayday.db")
    let fresh = """
      SELECT image, grp, count(*), sum(decides) FROM waiting
      JOIN reports ON reports.id = waiting.report WHERE named = 0 GROUP BY image, grp
      """
    let kept = "SELECT image, grp, reports, deciding FROM missing"
    for sql in [
      "\(fresh) EXCEPT \(kept)", "\(kept) EXCEPT \(fresh)", "SELECT report FROM redo",
      "SELECT origin FROM regroup", "SELECT origin FROM regroup_changes",
    ] {
      #expect(try database.text(sql) == nil, "\(sql)", sourceLocation: location)
    }
  }
}
