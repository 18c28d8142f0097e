import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// What the pages about the API and about CI tell people to type, typed.
@Suite("Calls in the documents", .serialized)
struct DocumentedCallsTests {
  private let folder = ScratchFolder()

  /// The lines of a page.
  private static func lines(_ page: String) throws -> [String] {
    try ByteView(reading: "\(Samples.root)/docs/\(page)", limit: 1 << 20).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Blocks that are indented by four spaces, without the indentation.
  private static func blocks(_ page: String) throws -> [String] {
    var blocks: [[String]] = []
    var isInside = false
    for line in try lines(page) {
      guard line.hasPrefix("    ") else {
        isInside = false
        continue
      }
      if !isInside { blocks.append([]) }
      isInside = true
      blocks[blocks.count - 1].append(String(line.dropFirst(4)))
    }
    return blocks.map { $0.joined(separator: "\n") }
  }

  /// Contents of fenced blocks of a language.
  private static func fenced(_ language: String, _ page: String) throws -> [String] {
    var found: [String] = []
    var isInside = false
    for line in try lines(page) {
      if line.hasPrefix("```") {
        isInside = line == "```" + language
      } else if isInside {
        found.append(line)
      }
    }
    return found
  }

  /// A folder as a build leaves it: `build`, `crashes`, and the files that the lines name.
  private func place() throws -> String {
    let place = folder.path("work")
    let crash = try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).array
    for name in ["", "/build", "/crashes"] { #expect(mkdir(place + name, 0o700) == 0) }
    #expect(symlink(Samples.universal, place + "/build/Tern.app.dSYM") == 0)
    _ = folder.write("work/crash.ips", crash)
    _ = folder.write("work/app.log", Array("what went before".utf8))
    _ = folder.write("work/crashes/other.ips", crash)
    let packed = Run(
      ["-m", "zipfile", "-c", place + "/Tern.app.dSYM.zip", Samples.universal],
      program: "/usr/bin/python3")
    #expect(packed.status == 0, "\(packed.errors)")
    // A refusal by the server then makes curl fail, even if the line does not ask for it.
    _ = folder.write("work/.curlrc", Array("fail\nsilent\nshow-error\n".utf8))
    return place
  }

  private func shell(
    _ script: String, in place: String, _ variables: [String: String], shell: String = "/bin/sh"
  ) -> Run {
    let programs = BuiltProgram.mayday.dropLast("/mayday".count)
    let environment = variables.merging([
      "PATH": "\(programs):/usr/bin:/bin", "HOME": place, "CURL_HOME": place, "TMPDIR": place,
    ]) { mine, _ in mine }
    return Run(
      ["-ec", "cd \"$0\"\n" + script, place], environment: environment, program: shell)
  }

  private static let canRun = ["curl", "jq", "python3"].allSatisfy { (program: String) in
    access("/usr/bin/" + program, X_OK) == 0
  }

  @Test(
    "The lines of the API's page do what it says",
    .enabled(if: canRun, "curl, jq or python3 is not installed"))
  func server() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let place = try place()
    let variables = ["URL": "http://127.0.0.1:\(server.port)", "TOKEN": server.token]
    let blocks = try Self.blocks("reference/api.md").filter { $0.contains("$URL") }
    #expect(blocks.count == 2)
    let lines = try #require(blocks.first).split(separator: "\n")
    #expect(lines.count == 5)
    for line in lines {
      let run = shell(String(line), in: place, variables)
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    #expect(server.waitForQueue())
    // Two apps have the report: one of its own, and one whose attachment came with it.
    let reports = try #require(server.json("/api/v1/reports")["items"]?.array)
    #expect(!reports.isEmpty && server.json("/api/v1/symbols")["items"]?.array?.isEmpty == false)
    let walk = shell(
      try #require(blocks.last).replacing("limit=1000", with: "limit=1"), in: place, variables)
    #expect(walk.status == 0, "\(walk.errors)")
    #expect(walk.output.split(separator: "\n").count == reports.count)
    let wrong = shell(String(lines[0]), in: place, variables.merging(["TOKEN": "x"]) { $1 })
    #expect(wrong.status == 22)
    #expect(server.stop() == 0)
  }

  @Test(
    "The recipes for CI upload, and fail loudly",
    .enabled(if: canRun, "curl, jq or python3 is not installed"))
  func recipes() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let place = try place()
    let add = try #require(
      Self.blocks("use/ci.md").first { $0.hasPrefix("mayday tokens add") })
    let token = shell(add, in: place, ["MAYDAY_HOME": server.home]).output.dropLast()
    #expect(token.hasPrefix("mayday_"))
    let variables = [
      "MAYDAY_TO": "http://127.0.0.1:\(server.port)", "MAYDAY_TOKEN": String(token),
      "GITHUB_REF_NAME": "1.4.0", "GITHUB_RUN_NUMBER": "501", "CI_COMMIT_TAG": "1.4.0",
      "CI_PIPELINE_IID": "502", "BUILD_NUMBER": "503", "MAYDAY_TRIES": "1",
    ]
    func text(_ line: String, after mark: String, before end: String = "") -> String? {
      guard let range = line.firstRange(of: mark), line.contains("mayday upload") else {
        return nil
      }
      return String(line[range.upperBound...].dropLast(end.count))
    }
    let yaml = try Self.fenced("yaml", "use/ci.md")
    let groovy = try Self.fenced("groovy", "use/ci.md")
    let commands =
      yaml.compactMap { text($0, after: "run: ") ?? text($0, after: "    - ") }
      + groovy.compactMap { text($0, after: "sh '", before: "'") }
    #expect(commands.count == 6)
    for command in commands {
      let run = shell(command, in: place, variables)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    #expect(server.waitForQueue())
    let builds = (server.json("/api/v1/releases?app=Tern")["items"]?.array ?? []).compactMap {
      $0["build"]?.string
    }
    #expect(Set(builds).isSuperset(of: ["501", "502", "503"]))
    #expect(server.json("/api/v1/reports?query=app:Tern")["total"]?.integer == 1)
    // A damaged file, and the line that shows which it is.
    let bytes = try ByteView(mapping: Samples.universal + "/Contents/Resources/DWARF/Tern").array
    _ = folder.write("work/build/cut", Array(bytes.prefix(100)))
    #expect(commands.map { shell($0, in: place, variables).status } == [6, 0, 6, 0, 6, 0])
    // And a damaged archive of crash files.
    let cut = Array(try ByteView(mapping: place + "/Tern.app.dSYM.zip").array.prefix(1_000))
    _ = folder.write("work/crashes/cut.zip", cut)
    #expect(commands.map { shell($0, in: place, variables).status } == [6, 6, 6, 6, 6, 6])
    let line = try #require(Self.blocks("use/ci.md").first { $0.contains("jq -r") })
    let refused = shell(line, in: place, variables).output
    #expect(refused.hasPrefix("build/cut: "), "\(refused)")
    #expect(server.stop() == 0)
    for command in commands {
      let run = shell(command, in: place, variables)
      #expect(run.status == 5 && run.errors.contains("127.0.0.1"), "\(command)")
    }
  }

  private static let canReadYAML =
    Run(["-c", "import yaml"], program: "/usr/bin/python3").status == 0

  /// Commands that a runner would run, according to PyYAML: a folded line or a misplaced space
  /// would change them.
  @Test(
    "The recipes in YAML are steps and jobs whose commands are the lines",
    .enabled(if: canReadYAML, "python3-yaml is not installed")
  )
  func yaml() throws {
    let text = try ByteView(reading: "\(Samples.root)/docs/use/ci.md", limit: 1 << 20).text
    // Whole workflows are run by a script of their own.
    let blocks = text.split(separator: "```yaml\n").dropFirst().map {
      $0[..<($0.firstRange(of: "```")?.lowerBound ?? $0.endIndex)]
    }.filter { !$0.contains("\njobs:") && !$0.hasPrefix("stages:") }
    #expect(blocks.count == 2)
    let program = """
      import json, sys, yaml
      document = yaml.safe_load(sys.argv[1])
      if isinstance(document, list):  # steps of GitHub
          assert all(set(step) <= {"name", "env", "run", "if"} for step in document), document
          commands = [step["run"] for step in document]
      else:  # jobs of GitLab
          known = {"stage", "script", "rules", "when"}
          assert all(set(job) <= known for job in document.values()), document
          commands = [line for job in document.values() for line in job["script"]]
      assert all(isinstance(command, str) for command in commands)
      assert not any("continue-on-error" in str(part) or "|| true" in str(part) for part in [document])
      print(json.dumps(commands))
      """
    var commands: [String] = []
    for block in blocks {
      let run = Run(["-c", program, String(block)], program: "/usr/bin/python3")
      #expect(run.status == 0, "\(run.errors)")
      commands += run.json.array?.compactMap(\.string) ?? []
    }
    let uploads = commands.filter { $0.contains("mayday upload") }
    #expect(uploads.count == 4)
    for upload in uploads { #expect(text.contains(upload)) }
  }
}
