import Bytes
import CrashStore
import ServerStore
import TestSupport
import Testing
import Updates

@testable import MaydayCommands
@testable import ProgramSupport

/// Warnings that phones install nothing from an address.
@Suite("Addresses that phones refuse") struct PhoneAddressTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  @Test(
    "Addresses without TLS, unless only this machine reaches them",
    arguments: [
      ("http://crashes.example.org", true), ("HTTP://10.0.0.5:8080/mayday", true),
      ("http://localhost.example.org", true), ("https://crashes.example.org", false),
      ("http://localhost:8080", false), ("http://127.0.0.1", false), ("http://[::1]:80/", false),
      ("", false),
    ])
  func addresses(address: String, isRefused: Bool) {
    #expect((PhoneAddress.problem(of: address) != nil) == isRefused)
  }

  @Test("Publishing, inviting and the doctor warn where the server has such an address")
  func commands() throws {
    let path = folder.write("tern.dmg", Array("koly".utf8))
    func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }
    #expect(mayday("apps", "add", "Tern").status == 0)
    let server = try ServerStore(opening: home)
    func add(_ release: String) -> String {
      mayday(
        "releases", "add", path, "--app", "Tern", "--release", release, "--groups",
        "Collaborators"
      ).errors
    }
    #expect(!mayday("doctor").output.contains("releases"))
    #expect(add("1.0 (1)").isEmpty, "no server has run yet")
    try AlertsTable(in: server).setServerURL("http://10.0.0.5:8080")
    #expect(add("1.1 (2)").contains("http://10.0.0.5:8080 is not https"))
    let invite = ["invite", "ada@example.org", "--group", "Collaborators"]
    func invited(_ more: String...) -> String {
      Run(["testers"] + invite + more + ["--home", home]).errors
    }
    #expect(invited().contains("is not https"))
    #expect(invited("--address", "https://a.example").isEmpty)
    #expect(invited("--address", "http://a.example").contains("http://a.example is not https"))
    #expect(mayday("doctor").output.contains("http://10.0.0.5:8080 is not https"))
    try AlertsTable(in: server).setServerURL("https://crashes.example.org")
    #expect(add("1.2 (3)").isEmpty && invited().isEmpty)
    #expect(!mayday("doctor").output.contains("is not https"))
  }

  @Test("A server with releases warns of its own address, and of a proxy that hides TLS")
  func serve() throws {
    let path = folder.write("tern.dmg", Array("koly".utf8))
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    #expect(
      Run([
        "releases", "add", path, "--app", "Tern", "--release", "1.0", "--groups", "Collaborators",
        "--home", home,
      ]).status == 0)
    let server = try #require(
      RunningServer(home: home, options: ["--server-url", "http://crashes.example.org"]))
    #expect(
      RunningMayday.wait {
        server.errors.contains("http://crashes.example.org is not https")
      })
    let proxied = try #require(
      RunningServer(home: home, token: "none", options: ["--trusted-proxy", "127.0.0.1"]))
    let mark = "sends no X-Forwarded-Proto"
    for scheme in [["X-Forwarded-Proto: https"], [], []] {
      let headers = ["X-Forwarded-For: 192.0.2.7"] + scheme
      #expect(proxied.ask("GET", "/healthz", headers: headers)?.status == 200)
      if !scheme.isEmpty { #expect(!proxied.errors.contains(mark)) }
    }
    #expect(RunningMayday.wait { proxied.errors.contains(mark) })
    #expect(proxied.errors.split(separator: mark).count == 2, "it is said once")
    #expect(!proxied.errors.contains("is not https"), "the proxy has an address of its own")
  }
}
