import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Since when and where groups are more frequent, from a home and from a server.
@Suite("Regressions and correlations by commands and API") struct FrequencyRouteTests {
  private let folder = ScratchFolder()

  /// A home with a build in which one crash is more frequent, each time on another device.
  private func makeHome() throws -> String {
    let home = folder.path("home")
    let samples = Samples.root + "/Samples/apple-ips/"
    #expect(Run(["ingest", samples, "--home", home]).status == 0)
    let reports = try FolderListing.names(in: samples).filter { $0.contains("-1.1.0-") }
    let more = [String](repeating: "worker-null-1.1.0-ios-arm64.ips", count: 40)
    for (number, name) in (reports + more).enumerated() {
      let text = try ByteView(reading: samples + name, limit: 1 << 20).text
        .replacing("1.1.0", with: "1.2.0").replacing("\"117\"", with: "\"130\"")
        .replacing("\"crashReporterKey\" : \"", with: "\"crashReporterKey\" : \"\(number)")
        .replacing("\"crashReporterKey\":\"", with: "\"crashReporterKey\":\"\(number)")
      folder.write("nightly-\(number).ips", text.utf8)
    }
    let files = (0..<reports.count + more.count).map { folder.path("nightly-\($0).ips") }
    #expect(Run(["ingest", "--home", home] + files).status == 0)
    return home
  }

  @Test("Both print the same from a home and from a server, with the same exit status")
  func same() throws {
    let home = try makeHome()
    let server = try #require(RunningServer(home: home))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", server.token]
    let list = Run(["regressions", "--json", "--home", home]).json
    let group = try #require(list["items"]?[0]?["group"]?.string)
    #expect(list["total"]?.integer == 1 && list["basis"]?.string == "reports")
    #expect(list["items"]?[0]?["version"]?.string == "1.2.0")
    #expect(list["items"]?[0]?["cases"]?.integer == 41)
    for words in [
      ["regressions"], ["regressions", "--confidence", "0", "--limit", "3"],
      ["regressions", "--release", "1.2.0 (130)", "--exit-code"], ["correlate", group],
      ["regressions", "--release", "1.1.0", "--exit-code"],
      ["correlate", group, "version:1.2.0"], ["correlate", group, "--by", "image,device"],
      ["show", group],
    ] {
      for words in words[0] == "show" ? [words] : [words, words + ["--json"]] {
        let (local, remote) = (Run(words + ["--home", home]), Run(words + address))
        #expect(local.status == remote.status, "\(words): \(remote.errors)")
        #expect(local.output == remote.output && !local.output.isEmpty, "\(words)")
        #expect(
          local.status == (words.contains("1.2.0 (130)") ? 7 : 0), "\(words): \(local.errors)")
        guard !words.contains("--json") else { continue }
        #expect(local.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(words)")
      }
    }
    #expect(
      Run(["show", group, "--home", home]).output.contains(
        "First bad build 1.2.0 (130), >99.9 % sure"))
    let found = Run(["correlate", group, "--json", "--home", home]).json
    #expect(found["items"]?[0]?["adjusted_p"]?.double ?? 1 < 0.01)
  }

  @Test("What does not exist, or is not a number, is an error that says so")
  func errors() throws {
    let home = folder.path("home")
    #expect(
      Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", server.token]
    for place in [["--home", home], address] {
      #expect(Run(["regressions", "--app", "Gull"] + place).status == 3)
      #expect(Run(["regressions", "--release", "9.9"] + place).status != 0)
      #expect(Run(["regressions", "--confidence", "101"] + place).status == 2)
      #expect(Run(["regressions", "--since", "soon"] + place).status == 2)
      #expect(Run(["correlate", "TERN-99"] + place).status == 3)
      #expect(Run(["correlate", "TERN-1", "--by", "time"] + place).status == 2)
      #expect(Run(["correlate", "TERN-1", "colour:red"] + place).status == 2)
    }
    for query in [
      "apps/Tern/regressions?confidence=2", "apps/Tern/regressions?since=soon",
      "groups/TERN-1/correlations?by=colour", "groups/TERN-1/correlations?query=colour:red",
      "apps/Tern/regressions?release=%20",
    ] {
      #expect(server.ask("GET", "/api/v1/" + query)?.status == 400, "\(query)")
    }
  }

  @Test("A token of one app sees only that app")
  func scoped() throws {
    let home = folder.path("home")
    #expect(
      Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    #expect(Run(["releases", "add", "Heron", "1.1.0", "--home", home]).status == 0)
    let made = Run(["tokens", "add", "t", "--scope", "read", "--app", "Heron", "--home", home])
    let token = String(made.output.dropLast())
    let server = try #require(RunningServer(home: home, token: token))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", token]
    #expect(Run(["regressions", "--app", "Heron"] + address).status == 0)
    #expect(Run(["regressions", "--app", "Tern"] + address).status == 3)
    #expect(Run(["correlate", "TERN-1"] + address).status == 3)
  }
}
