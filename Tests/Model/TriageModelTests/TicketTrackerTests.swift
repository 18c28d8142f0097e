import CrashModel
import Testing
import TriageModel

@Suite("Forms for new issues in trackers")
struct TicketTrackerTests {
  private static let link = "https://crashes.example.org/groups/TERN-1"

  private func address(_ kind: TicketTracker.Kind, _ address: String) -> String {
    TicketTracker(kind, address).newIssue(title: "a & b", body: "# c\n`d`", link: Self.link)
  }

  @Test("Each kind of tracker has its own form")
  func kinds() {
    #expect(
      address(.github, "https://github.com/acme/tern/")
        == "https://github.com/acme/tern/issues/new?title=a%20%26%20b&body=%23%20c%0A%60d%60")
    #expect(
      address(.gitlab, "https://gitlab.com/acme/app/tern")
        == "https://gitlab.com/acme/app/tern/-/issues/new?issue%5Btitle%5D=a%20%26%20b"
        + "&issue%5Bdescription%5D=%23%20c%0A%60d%60")
    #expect(
      address(.jira, "https://acme.atlassian.net?pid=10001&issuetype=10004")
        == "https://acme.atlassian.net/secure/CreateIssueDetails!init.jspa?pid=10001"
        + "&issuetype=10004&summary=a%20%26%20b&description=%23%20c%0A%60d%60")
    #expect(
      address(.youtrack, "https://acme.youtrack.cloud/newIssue?project=TERN")
        == "https://acme.youtrack.cloud/newIssue?project=TERN&summary=a%20%26%20b"
        + "&description=%23%20c%0A%60d%60")
    #expect(
      address(.linear, "https://linear.app/acme/team/ENG")
        == "https://linear.app/acme/team/ENG/new?title=a%20%26%20b&description=%23%20c%0A%60d%60")
    #expect(
      address(.other, "https://bugs.example.org/enter?short={title}&see={link}")
        == "https://bugs.example.org/enter?short=a%20%26%20b"
        + "&see=https%3A%2F%2Fcrashes.example.org%2Fgroups%2FTERN-1")
  }

  @Test("A long text is cut at a line, with its fence closed and a link to the rest")
  func long() throws {
    let line = "0  tern::Renderer::draw(int, int)  src/Renderer.cpp:88:12"
    let lines = Array(repeating: line, count: 500).joined(separator: "\n")
    let body = "## TERN-1\n\n```\n" + lines + "\n```\n"
    let made = TicketTracker(.github, "https://github.com/acme/tern")
      .newIssue(title: "crash", body: body, link: Self.link)
    #expect(made.utf8.count <= TicketTracker.longestAddress)
    #expect(made.utf8.count > TicketTracker.longestAddress - 400)
    #expect(
      made.hasSuffix(
        "%0A%60%60%60%0A%0A%E2%80%A6%20the%20rest%3A%20https%3A%2F%2Fcrashes.example.org"
          + "%2Fgroups%2FTERN-1"))
    // One endless line leaves the link alone.
    let endless = TicketTracker(.github, "https://github.com/acme/tern").newIssue(
      title: "crash", body: String(repeating: "x", count: 100_000), link: Self.link)
    #expect(endless.utf8.count < 400 && endless.contains("TERN-1"))
  }

  @Test("Well-known hosts tell the kind of tracker")
  func known() {
    #expect(TicketTracker.kind(of: "https://github.com/acme/tern") == .github)
    #expect(TicketTracker.kind(of: "https://acme.atlassian.net/x") == .jira)
    #expect(TicketTracker.kind(of: "https://github.com.evil.example/acme") == nil)
    #expect(TicketTracker.kind(of: "github") == nil)
    #expect(TicketTracker.origin(of: "HTTPS://Host:8080/a?b") == "https://host:8080")
  }

  @Test("A ticket is suggested from either threshold on, for open groups without one")
  func suggestion() {
    var group = GroupSummary(
      id: "TERN-1", app: "Tern",
      signature: Signature(text: "", key: "", category: .signal, rules: ""), kind: .crash,
      reports: 9, installs: 2, exemplar: "")
    var tracker = TicketTracker(.github, "https://github.com/acme/tern")
    #expect(tracker.suggests(group))
    tracker.reports = 10
    #expect(!tracker.suggests(group))
    tracker.users = 2
    #expect(tracker.suggests(group))
    group.state = .resolved
    #expect(!tracker.suggests(group))
    group.state = .regressed
    #expect(tracker.suggests(group))
    group.ticket = GroupTicket(url: "https://github.com/acme/tern/issues/7", state: .closed)
    #expect(!tracker.suggests(group))
  }
}
