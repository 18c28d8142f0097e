import CrashStore
import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing
import TriageModel

@testable import CrashService
@testable import ServerCore
@testable import WebPages

/// Decisions by the forms of a group and of a list.
@Suite("Decisions on pages") struct DecisionPageTests {
  private let folder = ScratchFolder()

  /// Four groups of Tern, in which `ann` is signed in.
  private func visit() throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    for key in ["k1", "k2", "k3", "k4"] {
      try StoredReports.add(StoredReports.report(key), named: key, to: visit.context.store)
    }
    try visit.signIn("ann", .triage)
    return visit
  }

  private func group(_ id: String, _ visit: PageVisit) throws -> GroupSummary {
    try visit.context.store.groups.get(id)
  }

  private func ids(_ numbers: [Int]) -> [(String, String)] {
    numbers.map { ("id", "TERN-\($0)") }
  }

  // MARK: Resolve

  @Test("A release that was typed into Resolve is the answer, whatever else is ticked, or refused")
  func typedRelease() throws {
    let visit = try visit()
    let page = "/groups/TERN-1"
    let typed = try visit.send(page + "/resolve", from: page, [("how", "seen"), ("in", "7.6.0")])
    #expect(typed.location == page)
    #expect(try group("TERN-1", visit).status.fix?.release?.name == "7.6.0")
    #expect(visit.get(page).text.contains("resolved by ann in 7.6.0"))
    let both = try visit.send(
      "/groups/TERN-2/resolve", from: page, [("how", "next"), ("in", "7.6.0")])
    #expect(
      both.status == 400 && both.text.contains("either the next release or the release 7.6.0"))
    #expect(both.text.contains("name=\"in\" value=\"7.6.0\""), "the form keeps what was typed")
    #expect(both.text.contains("value=\"next\" checked"))
    #expect(try group("TERN-2", visit).state == .open)
    _ = try visit.send("/groups/TERN-2/resolve", from: page, [("how", "seen"), ("in", " ")])
    #expect(try group("TERN-2", visit).status.fix?.kind == .after)
    _ = try visit.send("/groups/TERN-3/resolve", from: page, [("how", "next"), ("in", "")])
    #expect(try group("TERN-3", visit).status.fix?.kind == .next)
  }

  // MARK: Forms that keep their text

  @Test("A refused form is shown again, open, with what was typed")
  func refusedForms() throws {
    let visit = try visit()
    let page = "/groups/TERN-1"
    let ignored = try visit.send(
      page + "/ignore", from: page, [("for", "2 \"weeks\""), ("users", "7")])
    #expect(ignored.status == 400 && ignored.text.contains("is not a length of time; use 30d"))
    #expect(ignored.text.contains("name=\"for\" value=\"2 &quot;weeks&quot;\""))
    #expect(ignored.text.contains("name=\"users\" value=\"7\""))
    #expect(ignored.text.contains("<details class=\"menu\" open><summary class=\"button\">Ignore"))
    #expect(ignored.text.split(separator: " open><summary").count == 2, "no other menu is open")
    let merged = try visit.send(page + "/merge", from: page, [("into", "TERN-99")])
    #expect(merged.status == 404 && merged.text.contains("name=\"into\" value=\"TERN-99\""))
    let bulk = try visit.send(
      "/groups", from: "/",
      [("action", "merge"), ("into", "TERN-99"), ("back", "/?q=app%3ATern&status=all")]
        + ids([2, 3]))
    #expect(bulk.status == 404 && bulk.text.contains("name=\"into\" value=\"TERN-99\""))
    #expect(bulk.text.contains("value=\"app:Tern\""), "the search is that of the list")
    let boxes = bulk.text.split(separator: "name=\"id\" value=\"").dropFirst()
    let ticked = boxes.filter { $0.prefix { $0 != ">" }.contains(" checked") }
      .map { String($0.prefix { $0 != "\"" }) }
    #expect(Set(ticked) == ["TERN-2", "TERN-3"])
    let gone = try visit.send("/groups/NO-9/ignore", from: page, [("for", "x")])
    #expect(gone.status == 400 && gone.text.contains("Back to NO-9"), "a page that is not there")
  }

  // MARK: Several groups

  @Test("A decision about several groups names them with links, and one button undoes it")
  func bulkUndo() throws {
    let visit = try visit()
    // An earlier decision of the same person stays.
    _ = try visit.send("/groups/TERN-1/assign", from: "/groups/TERN-1", [("to", "ann")])
    let done = try visit.send(
      "/groups", from: "/", [("action", "resolve"), ("back", "/?status=all")] + ids([1, 2]))
    let place = try #require(done.location)
    #expect(place.hasPrefix("/?status=all&done=resolve&count=2&changed=TERN-1."))
    let page = visit.get(place)
    #expect(
      page.text.contains(
        "2 groups resolved: <a href=\"/groups/TERN-1\">TERN-1</a>, <a href=\"/groups/TERN-2\">"))
    let changes = page.text.split(separator: "name=\"change\" value=\"").dropFirst()
      .map { ("change", String($0.prefix { $0 != "\"" })) }
    #expect(changes.count == 2)
    let undone = try visit.send(
      "/groups", from: "/", [("action", "undo"), ("back", "/?status=all")] + changes)
    #expect(undone.location?.hasPrefix("/?status=all&done=undo&count=2") == true)
    #expect(visit.get(try #require(undone.location)).text.contains("2 groups as before"))
    for id in ["TERN-1", "TERN-2"] { #expect(try group(id, visit).state == .open) }
    #expect(try group("TERN-1", visit).assignee == "ann")
    let again = try visit.send("/groups", from: "/", [("action", "undo")] + changes)
    #expect(again.status == 409)
    for text in ["TERN-1", "TERN-1.x", "TERN-1.-5", "<b>.1", "TERN-1.1.1"] {
      let answer = try visit.send("/groups", from: "/", [("action", "undo"), ("change", text)])
      #expect([400, 404, 409].contains(answer.status), "\(text)")
      #expect(!visit.get("/?done=ignore&count=1&changed=" + text.inAddress).text.contains("<b>.1"))
    }
  }

  @Test("Undo does not take back what others decided since, and says so")
  func undoOfOthers() throws {
    let visit = try visit()
    let done = try visit.send("/groups", from: "/", [("action", "resolve")] + ids([1, 2]))
    let page = visit.get(try #require(done.location)).text
    let changes = page.split(separator: "name=\"change\" value=\"").dropFirst()
      .map { ("change", String($0.prefix { $0 != "\"" })) }
    try visit.context.store.triage.reopen(["TERN-2"], by: "bob")
    let undone = try visit.send("/groups", from: "/", [("action", "undo")] + changes)
    #expect(undone.status == 409 && undone.text.contains("TERN-1: undone"))
    #expect(try group("TERN-1", visit).state == .open)
    #expect(try group("TERN-2", visit).state == .open)
  }

  @Test("The selected groups are merged into the first of them, and separated again")
  func mergeSelected() throws {
    let visit = try visit()
    let done = try visit.send("/groups", from: "/", [("action", "merge-first")] + ids([2, 1, 3]))
    #expect(done.location?.hasPrefix("/?done=merge&count=3&changed=TERN-2.") == true)
    #expect(visit.get("/groups/TERN-3").location == "/groups/TERN-2")
    #expect(try group("TERN-2", visit).reports == 3)
    let page = visit.get(try #require(done.location)).text
    let changes = page.split(separator: "name=\"change\" value=\"").dropFirst()
      .map { ("change", String($0.prefix { $0 != "\"" })) }
    _ = try visit.send("/groups", from: "/", [("action", "undo")] + changes)
    for id in ["TERN-1", "TERN-2", "TERN-3"] { #expect(try group(id, visit).reports == 1) }
    let one = try visit.send("/groups", from: "/", [("action", "merge-first")] + ids([2]))
    #expect(one.status == 400 && one.text.contains("select the groups to merge into TERN-2"))
  }

  @Test("The Merge menu of a group offers its related groups")
  func mergeRelated() throws {
    let visit = try visit()
    let page = "/groups/TERN-1"
    let merged = try visit.send(page + "/merge", from: page, [("related", "TERN-2"), ("into", "")])
    #expect(merged.location == "/groups/TERN-2")
    // What is typed is the answer.
    let typed = try visit.send(
      "/groups/TERN-2/merge", from: "/groups/TERN-2", [("related", "TERN-3"), ("into", "TERN-4")])
    #expect(typed.location == "/groups/TERN-4")
  }

  // MARK: Assignees

  @Test("Groups are assigned to accounts, chosen from a menu; an unknown name is refused")
  func assignees() throws {
    let visit = try visit()
    let accounts = visit.context.accounts
    _ = try accounts.add("Bob", role: .viewer, now: .now)
    _ = try accounts.add("wren only", role: .triage, app: "Wren", now: .now)
    let page = "/groups/TERN-1"
    let text = visit.get(page).text
    #expect(text.contains("<option selected>ann</option><option>Bob</option></select>"))
    #expect(!text.contains("wren only"))
    #expect(visit.get("/").text.contains("<option>Bob</option>"))
    let wrong = try visit.send(page + "/assign", from: page, [("to", "bobb")])
    #expect(wrong.status == 404)
    #expect(wrong.text.contains("there is no account named bobb; did you mean Bob?"))
    #expect(try group("TERN-1", visit).assignee == nil)
    _ = try visit.send(page + "/assign", from: page, [("to", "bob")])
    #expect(try group("TERN-1", visit).assignee == "Bob")
    let bulk = try visit.send(
      "/groups", from: "/", [("action", "assign"), ("to", "zed")] + ids([2]))
    #expect(bulk.status == 404 && bulk.text.contains("the accounts are ann, Bob"))
    // Somebody without an account may keep what was assigned before.
    try visit.context.store.triage.assign(["TERN-3"], to: "old <hand>", by: "import")
    #expect(visit.get("/groups/TERN-3").text.contains("<option selected>old &lt;hand&gt;</option>"))
    let kept = try visit.send(
      "/groups/TERN-3/assign", from: "/groups/TERN-3", [("to", "old <hand>")])
    #expect(kept.status == 303)
  }

  // MARK: Others

  @Test("A decision on a page that others changed meanwhile says what changed, and asks")
  func meanwhile() throws {
    let visit = try visit()
    let page = "/groups/TERN-1"
    let seen = try #require(visit.get(page).field("seen"))
    try visit.context.store.triage.resolve(
      ["TERN-1"], .inRelease(.init("7.6.0")), by: "bob <b>")
    let fields = [("seen", seen), ("how", "next"), ("in", "")]
    let asked = try visit.send(page + "/resolve", from: page, fields)
    #expect(asked.status == 409 && asked.text.contains("TERN-1 changed meanwhile"))
    #expect(asked.text.contains("bob &lt;b&gt;") && asked.text.contains("in 7.6.0"))
    #expect(asked.text.contains("Resolve anyway") && asked.text.contains("href=\"\(page)\">Cancel"))
    #expect(asked.text.contains("name=\"how\" value=\"next\""))
    #expect(try group("TERN-1", visit).status.fix?.release?.name == "7.6.0", "nothing is decided")
    let again = [("seen", try #require(asked.field("seen"))), ("how", "next"), ("in", "")]
    #expect(try visit.send(page + "/resolve", from: page, again).location == page)
    #expect(try group("TERN-1", visit).status.fix?.kind == .next)
    // What the visitor decided in another tab is no surprise, and a note decides nothing.
    #expect(
      try visit.send(page + "/reopen", from: page, [("seen", again[0].1)]).location == page)
    #expect(
      try visit.send(page + "/note", from: page, [("seen", seen), ("text", "x")]).status == 303)
    #expect(try visit.send(page + "/ignore", from: page, [("seen", "x")]).status == 400)
  }

  @Test("So does a decision about several groups, for those that changed")
  func meanwhileSeveral() throws {
    let visit = try visit()
    let seen = try #require(visit.get("/").field("seen"))
    try visit.context.store.triage.ignore(["TERN-2"], IgnoreCondition(), by: "bob")
    let fields = [("seen", seen), ("action", "resolve"), ("back", "/?status=all")]
    let asked = try visit.send("/groups", from: "/", fields + ids([1, 2]))
    #expect(asked.status == 409 && asked.text.contains("TERN-2 changed meanwhile"))
    #expect(asked.text.contains("href=\"/?status=all\">Cancel"))
    #expect(asked.text.split(separator: "name=\"id\" value=\"TERN-").count == 3)
    #expect(try group("TERN-1", visit).state == .open)
    let others = try visit.send("/groups", from: "/", fields + ids([1, 3]))
    #expect(others.location?.contains("done=resolve&count=2") == true)
  }
}
