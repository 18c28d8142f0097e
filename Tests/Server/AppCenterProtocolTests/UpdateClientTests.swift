import Bytes
import CrashStore
import Glibc
import JSON
import TestSupport
import Testing
import Updates

@testable import ProgramSupport

/// The life of an app: sign-in, postponement, download, installation, revocation.
@Suite("Updates of an app", .serialized)
struct UpdateClientTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let app: DistributedApp

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    app = try DistributedApp("Tern & Söhne", number: 1, in: store)
  }

  private func server() throws -> RunningServer {
    try #require(RunningServer(home: folder.path("home")))
  }

  private static func transport(_ server: RunningServer) -> UpdateTransport {
    { server.ask($0, $1, token: "", headers: $2) }
  }

  private static func browser(_ server: RunningServer) -> TesterBrowser {
    TesterBrowser { method, path, headers, body in
      server.ask(method, path, token: "", headers: headers, body: body)
    }
  }

  /// Repeats a request until its result is as expected: changes by other processes take a second.
  private func eventually(
    _ expected: UpdateEvent, _ check: () -> UpdateEvent
  ) -> Bool {
    var last = expected
    let isSo = RunningMayday.wait {
      last = check()
      return last == expected
    }
    if !isSo { Issue.record("\(last) instead of \(expected)") }
    return isSo
  }

  private func text(_ artefact: Artefact) throws -> [UInt8] {
    let file = open(try store.distribution.path(ofFile: artefact.digest), O_RDONLY)
    defer { close(file) }
    return try ByteView(descriptor: file, name: "file", limit: 1 << 20).array
  }

  // MARK: Without an account

  @Test("An optional update is postponed for a day, a mandatory one is not")
  func postponing() throws {
    try app.ipa("1.4.0", "120", notes: "Fixes")
    try app.apk("3.4.1", "341", notes: "Fixes")
    let server = try server()
    let send = Self.transport(server)
    let phone = app.apple("1.3.0", "119")
    #expect(phone.check(at: 1_000_000, send) == .offered(1, isMandatory: false))
    #expect(phone.showsNotes)
    phone.postpone(at: 1_000_000)
    #expect(phone.check(at: 1_086_399, send) == .ignored("postponed"))
    #expect(phone.check(at: 1_086_400, send) == .offered(1, isMandatory: false))
    phone.postpone(at: 1_000_000)
    #expect(
      phone.check(at: 999_999, send) == .offered(1, isMandatory: false), "the clock went back")
    phone.postpone(at: 1_000_000)
    try app.publish(1, to: DistributedApp.open, mandatory: true)
    #expect(eventually(.offered(1, isMandatory: true)) { phone.check(at: 1_000_001, send) })
    #expect(phone.mandatory?.id == 1, "it is kept for when there is no network")

    let android = app.android("3.4.0", 340)
    #expect(android.check(at: 1_000_000, send) == .offered(2, isMandatory: false))
    #expect(android.showsNotes)
    android.postpone(at: 1_000_000)
    #expect(android.check(at: 1_000_001, send) == .ignored("postponed"))
  }

  @Test("An update is downloaded, installed, and counted once")
  func installing() throws {
    let ipa = try app.ipa("1.4.0", "120")
    let apk = try app.apk("3.4.1", "341")
    let server = try server()
    let send = Self.transport(server)
    let group = try app.id(ofGroup: DistributedApp.open)

    let phone = app.apple("1.3.0", "119")
    #expect(phone.check(at: 0, send) == .offered(1, isMandatory: false))
    #expect(phone.groupID == group)
    #expect(try phone.download(send).get() == text(ipa))
    phone.update(
      toVersion: "1.4.0", build: "120",
      hash: DistributedApp.hash(uuid: DistributedApp.uuid, "1.4.0", "120"))
    #expect(phone.latestPath.contains("downloaded_release_id=1"))
    #expect(phone.check(at: 1, send) == .noRelease)
    #expect(!phone.latestPath.contains("downloaded_release_id"), "any success clears it")
    // A client that got no answer reports it again.
    phone.downloaded = .init(id: 1, hashes: phone.hash, groupID: group)
    #expect(phone.check(at: 2, send) == .noRelease)
    #expect(try store.distribution.installs(of: app.name) == [1: 1])

    let android = app.android("3.4.0", 340)
    #expect(android.check(at: 0, send) == .offered(2, isMandatory: false))
    #expect(try android.download(send).get() == text(apk))
    android.update(toVersion: "3.4.1", code: 341, hash: apk.package.hashes[0])
    android.downloaded?.groupID = "null"
    #expect(android.latestPath.contains("distribution_group_id=null"))
    #expect(android.check(at: 1, send) == .noRelease)
    #expect(try store.distribution.installs(of: app.name) == [1: 1, 2: 1])
    // An invented id counts for nothing, and gets an answer all the same.
    for query in [
      "downloaded_release_id=9", "downloaded_release_id=-1", "downloaded_release_id=x",
      "downloaded_release_id=99999999999999999999", "downloaded_release_id=1",
      "downloaded_release_id=1&install_id=me", "downloaded_release_id=1&install_id=%ff",
    ] {
      let path = "/v0.1/public/sdk/apps/\(app.secret)/releases/latest?" + query
      #expect(send("GET", path, [])?.status == 200, "\(query)")
    }
    #expect(try store.distribution.installs(of: app.name) == [1: 1, 2: 1])
    let body =
      #"{"releases":[{"release_id":1,"distribution_group_id":"\#(group)","user_id":"2ecf1b1c-52cb-4b9c-a0a4-6c0a1a06a5c3"},{"release_id":"x"},7]}"#
    let path = "/v0.1/public/apps/acme/\(UpdateAddress.encoded(app.name))/install_analytics"
    #expect(server.ask("POST", path, token: "", body: Array(body.utf8))?.status == 204)
    #expect(server.ask("POST", path, token: "", body: Array("{}".utf8))?.status == 400)
    #expect(try store.distribution.installs(of: app.name) == [1: 2, 2: 1])
  }

  @Test(
    "A download has its length, a name, a tag and ranges; what is private has an address of its own"
  )
  func downloads() throws {
    let open = try app.ipa("1.4.0", "120", notes: "<b>Now</b>\n& then")
    let closed = try app.ipa("1.5.0", "121", to: ["Beta"])
    let server = try server()
    let send = Self.transport(server)
    let phone = app.apple("1.3.0", "119")
    #expect(phone.check(at: 0, send) == .offered(1, isMandatory: false))
    let path = try #require(phone.last?.downloadURL.flatMap(UpdateAddress.path))
    let whole = try #require(send("GET", path, []))
    #expect(whole.body == (try text(open)))
    #expect(whole.headers["content-disposition"]?.contains("filename=\"tern.ipa\"") == true)
    #expect(whole.headers["etag"] == "\"\(open.digest)\"")
    let part = try #require(
      send("GET", path, ["Range: bytes=2-5", "If-Range: \"\(open.digest)\""]))
    #expect(part.status == 206 && part.body == Array(whole.body[2...5]))
    let notes = try #require(phone.last?.notesURL.flatMap(UpdateAddress.path))
    let page = try #require(send("GET", notes, []))
    #expect(page.text.contains("<p>Now<br />\n&amp; then</p>"))
    #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)

    let other = path.replacing("/1/file/", with: "/2/file/")
    #expect(send("GET", other, [])?.status == 403)
    #expect(send("GET", path.replacing("/1/file/", with: "/3/file/"), [])?.status == 404)
    let made = try signedLink(closed, of: server)
    let links = try #require(made)
    #expect(send("GET", other + "?token=" + links, [])?.body == (try text(closed)))
    #expect(send("GET", path + "?token=" + links, [])?.status == 403, "it is for one release")
    let later = links.replacing(/^\d+/) { "\((Int($0.output) ?? 0) + 1)" }
    #expect(send("GET", other + "?token=" + later, [])?.status == 403)
    for token in [
      "", "x", "1.2", "...", "9999999999.api.", "9999999999.api-.", links.dropLast() + "0x",
    ] {
      #expect(send("GET", other + "?token=" + token, [])?.status == 403, "\(token)")
    }
    for number in ["0", "-1", "x", "99999999999999999999", "%00", "..%2f1"] {
      let answer = send("GET", path.replacing("/1/file/", with: "/\(number)/file/"), [])
      #expect([400, 404].contains(answer?.status), "\(number)")
    }
    // A disabled file is no longer offered at once.
    try app.enable(1, false)
    #expect(RunningMayday.wait { send("GET", path, [])?.status == 404 })
  }

  /// A token that may read the app over the API, as the server creates it.
  private func signedLink(_ artefact: Artefact, of server: RunningServer) throws -> String? {
    let key = try store.downloadKey()
    let token = try #require(server.token.split(separator: "_").dropFirst().first)
    let script = """
      import hashlib, hmac, sys, time
      key, app, number, holder = sys.argv[1:]
      end = str(int(time.time()) + 600)
      text = "download\\n%s\\n%s\\n%s\\n%s" % (end, holder, number, app)
      print(end + "." + holder + "." + hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest(), end="")
      """
    let file = folder.write("sign.py", Array(script.utf8))
    return OtherTool.output(
      of: "python3 \(file) \(key) '\(app.name)' \(artefact.number) api-\(token)")
  }

  @Test("A manifest is for iOS, and for holders of its token")
  func manifests() throws {
    try app.ipa("1.4.0", "120")
    try app.apk("3.4.1", "341")
    try app.ipa("1.5.0", "121", to: ["Beta"])
    let server = try server()
    let base = "/v0.1/public/apps/\(app.secret)/releases/"
    func status(_ path: String) -> Int? {
      server.ask("GET", base + path + "/ios_manifest", token: "")?.status
    }
    #expect(status("1") == 200)
    #expect(status("2") == 400)
    #expect(status("3") == 403)
    #expect(status("4") == 404)
    #expect(server.ask("GET", base + "1/ios_manifest?token=x", token: "")?.status == 403)
    #expect(server.ask("GET", base + "3/ios_manifest?token=x", token: "")?.status == 403)
    let manifest = try #require(server.ask("GET", base + "1/ios_manifest", token: ""))
    #expect(manifest.text.contains("<string>Tern &amp; Söhne</string>"))
  }

  // MARK: Testers

  private func invitation(_ email: String, to group: String) throws -> String {
    _ = try app.id(ofGroup: group)
    let invited = try store.distribution.invite(email, to: group, of: app.name, by: "test")
    return invited.invitation
  }

  @Test("A tester signs in once, and gets the releases of private groups until revoked")
  func privateTrack() throws {
    try app.ipa("1.4.0", "120", to: ["Beta"])
    let code = try invitation("ada@example.org", to: "Beta")
    let server = try server()
    let send = Self.transport(server)
    let phone = app.apple("1.3.0", "119")
    phone.isPrivate = true
    guard case .signIn(let setup) = phone.check(at: 0, send) else {
      Issue.record("it does not ask for a sign-in")
      return
    }
    let browser = Self.browser(server)
    browser.open("/install" + setup)
    #expect(browser.page?.status == 200 && browser.handedOver == nil)
    // Opening an invitation's link changes nothing: mail scanners open it, too.
    browser.open("/install/invitations/" + code)
    #expect(browser.cookies.isEmpty)
    #expect(try store.distribution.tester("ada@example.org", of: app.name).hasAccepted == false)
    #expect(browser.submit())
    #expect(browser.cookies.count == 1)
    #expect(browser.page?.text.contains("ada@example.org") == true)
    // Pressed twice, the button leads to the same page; in another browser the link is used up.
    let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    let twice = server.ask(
      "POST", "/install/invitations/" + code, token: "", headers: ["Cookie: " + cookies], body: [])
    #expect(twice?.status == 303 && twice?.headers["set-cookie"] == nil)
    #expect(server.ask("POST", "/install/invitations/" + code, token: "", body: [])?.status == 404)
    #expect(server.ask("GET", "/install/invitations/" + code, token: "")?.status == 404)
    browser.open("/install" + setup)
    let address = try #require(browser.handedOver)
    #expect(browser.page?.status == 302)
    #expect(browser.links.contains(address), "the page has the link, too")
    // Once more, as by a reload.
    browser.open("/install" + setup)
    #expect(browser.handedOver == address)
    #expect(phone.open(address))
    #expect(!phone.open(address), "another request is not the app's")
    #expect(phone.groupID == (try app.id(ofGroup: "Beta")))
    #expect(phone.check(at: 1, send) == .offered(1, isMandatory: false))
    let file = try phone.download(send).get()
    #expect(file == (try text(try store.distribution.artefact(1, of: app.name))))

    // The token gives access to nothing else.
    let token = try #require(phone.updateToken)
    #expect(server.ask("GET", "/api/v1/apps", token: token)?.status == 401)
    #expect(
      server.ask("GET", "/v0.1/apps", token: "", headers: ["X-API-Token: \(token)"])?.status == 401)
    let other = try DistributedApp("Other", number: 2, in: store)
    try other.ipa("1.4.0", "120", to: ["Beta"])
    let path = "/v0.1/sdk/apps/\(other.secret)/releases/private/latest"
    #expect(
      RunningMayday.wait { send("GET", path, ["x-api-token: \(token)"])?.status == 403 })

    // The update is reported without an installation id.
    phone.update(
      toVersion: "1.4.0", build: "120",
      hash: DistributedApp.hash(uuid: DistributedApp.uuid, "1.4.0", "120"))
    #expect(!phone.latestPath.contains("install_id"))
    #expect(phone.check(at: 2, send) == .noRelease)
    #expect(try store.distribution.installs(of: app.name) == [1: 1])
    // When the tester was last seen is stored with the maintenance of the server.
    #expect(
      RunningMayday.wait {
        let tester = try? store.distribution.tester("ada@example.org", of: app.name)
        return tester?.lastSeen != nil
      })
    // In two groups: the newest release of both.
    try app.ipa("1.5.0", "121", mandatory: true, to: ["Alpha"])
    _ = try store.distribution.invite("ada@example.org", to: "Alpha", of: app.name, by: "test")
    #expect(eventually(.offered(2, isMandatory: true)) { phone.check(at: 3, send) })
    // Removed from the groups: nothing is forgotten, there is just no release.
    try store.distribution.removeTester(
      "ada@example.org", from: "Alpha", of: app.name, by: "test")
    try store.distribution.removeTester("ada@example.org", from: "Beta", of: app.name, by: "test")
    #expect(
      eventually(.noRelease) {
        phone.restart()
        return phone.check(at: 4, send)
      })
    #expect(phone.updateToken != nil && phone.groupID != nil)
    // Revoked: the tester has to sign in again.
    try store.distribution.revokeSecrets(ofTester: "ada@example.org", of: app.name, by: "test")
    #expect(
      eventually(.forgotten(401)) {
        phone.restart()
        return phone.check(at: 5, send)
      })
    guard case .signIn = phone.check(at: 6, send) else {
      Issue.record("it does not ask for a sign-in")
      return
    }
    browser.open("/install" + setup)
    #expect(browser.handedOver == nil, "the browser is signed out, too")
    // A download link of a tester ends with the tester.
    #expect(isFailure(phone.download(send)))
  }

  @Test("The link in a mail stops mails with one click, and its page without scripts")
  func refusingMail() throws {
    _ = try invitation("ada@example.org", to: "Beta")
    let tester = try store.distribution.tester("ada@example.org", of: app.name)
    let path = "/install/mails/" + (try store.distribution.refusalCode(ofTester: tester.id))
    func isRefusing() throws -> Bool {
      try store.distribution.tester("ada@example.org", of: app.name).isUnsubscribed
    }
    let server = try server()
    let browser = Self.browser(server)
    browser.open(path)
    #expect(browser.page?.status == 200)
    #expect(browser.page?.text.contains("Mails about Tern &amp; Söhne") == true)
    #expect(try !isRefusing(), "programs that scan mail open its links")
    #expect(browser.submit())
    #expect(try isRefusing())
    #expect(browser.page?.text.contains("No more mails") == true)
    #expect(browser.submit())
    #expect(try !isRefusing())
    // RFC 8058: without a cookie, perhaps from the page of a mail provider.
    let click = server.ask(
      "POST", path, token: "",
      headers: [
        "Content-Type: application/x-www-form-urlencoded", "Origin: https://mail.example.net",
        "Sec-Fetch-Site: cross-site",
      ], body: Array("List-Unsubscribe=One-Click".utf8))
    #expect(click?.status == 200)
    #expect(try isRefusing())
    for wrong in [
      path + "0", "/install/mails/\(tester.id)", "/install/mails/%2e%2e%2f", path + "/more",
    ] {
      #expect(server.ask("POST", wrong, token: "", body: [])?.status == 404, "\(wrong)")
      #expect(server.ask("GET", wrong, token: "")?.status == 404, "\(wrong)")
    }
  }

  @Test("On Android the browser starts an activity with text extras")
  func androidSignIn() throws {
    try app.apk("3.4.1", "341", to: ["Beta"])
    let code = try invitation("ada@example.org", to: "Beta")
    let server = try server()
    let send = Self.transport(server)
    let phone = app.android("3.4.0", 340)
    phone.isPrivate = true
    guard case .signIn(let setup) = phone.check(at: 0, send) else {
      Issue.record("it does not ask for a sign-in")
      return
    }
    let browser = Self.browser(server)
    browser.open("/install" + setup)
    // The form takes the code of the invitation, or its whole link.
    #expect(browser.submit(["code": "nonsense"]))
    #expect(browser.page?.status == 403 && browser.handedOver == nil)
    #expect(browser.submit(["code": " https://host/install/invitations/\(code) "]))
    let address = try #require(browser.handedOver)
    #expect(browser.page?.status == 200)
    #expect(browser.links.contains(address))
    #expect(phone.open(address))
    #expect(phone.check(at: 1, send) == .offered(1, isMandatory: false))
    #expect((try? phone.download(send).get()) != nil)
    // The tester's page shows the release, and signs out.
    browser.open("/install")
    #expect(browser.page?.text.contains("3.4.1 (341) for Android") == true)
    let install = try #require(browser.links.compactMap(UpdateAddress.path).first)
    #expect(send("GET", install, [])?.status == 200)
    #expect(browser.submit())
    #expect(browser.cookies.isEmpty)
    browser.open("/install" + setup)
    #expect(browser.handedOver == nil)
  }

  @Test("A tester whose groups have no release yet is signed in, and gets the first one")
  func noReleaseYet() throws {
    try app.ipa("1.4.0", "120", to: ["Alpha"])
    let code = try invitation("ada@example.org", to: "Beta")
    let server = try server()
    let send = Self.transport(server)
    let phone = app.apple("1.3.0", "119")
    phone.isPrivate = true
    let setup = phone.setupPath()
    let browser = Self.browser(server)
    browser.open("/install/invitations/" + code)
    #expect(browser.submit())
    browser.open("/install" + setup)
    let address = try #require(browser.handedOver)
    #expect(UpdateAddress.query(of: address)["update_setup_failed"] == nil)
    #expect(phone.open(address))
    #expect(phone.check(at: 0, send) == .noRelease)
    try app.ipa("1.5.0", "130", to: ["Beta"])
    let isOffered = eventually(.offered(2, isMandatory: false)) {
      phone.restart()
      return phone.check(at: 1, send)
    }
    #expect(isOffered)
  }

  @Test("Without a group, the client gets a failure, or a page that explains it")
  func failures() throws {
    try app.ipa("1.4.0", "120", to: ["Alpha"])
    let code = try invitation("ada@example.org", to: "Beta")
    try store.distribution.removeGroup("Beta", of: app.name, by: "test")
    let server = try server()
    let send = Self.transport(server)
    let phone = app.apple("1.3.0", "119")
    phone.isPrivate = true
    let setup = phone.setupPath()
    let browser = Self.browser(server)
    browser.open("/install/invitations/" + code)
    #expect(browser.submit())
    browser.open("/install" + setup)
    let address = try #require(browser.handedOver)
    #expect(UpdateAddress.query(of: address)["update_setup_failed"]?.isEmpty == false)
    #expect(UpdateAddress.query(of: address)["request_id"] == phone.requestID)
    #expect(!phone.open(address))
    browser.open("/install" + setup.replacing("&enable_failure_redirect=true", with: ""))
    #expect(browser.handedOver == nil && browser.page?.status == 403)
    browser.open("/install?update_setup_failed=true")
    #expect(browser.page?.text.contains("could not be set up") == true)
    #expect(phone.check(at: 0, send) == .signIn(setup))
  }

  @Test("A sign-in leads only to the app")
  func hostileSetups() throws {
    try app.ipa("1.4.0", "120", to: ["Beta"])
    try app.apk("3.4.1", "341", to: ["Beta"])
    let code = try invitation("ada@example.org", to: "Beta")
    let server = try server()
    let browser = Self.browser(server)
    browser.open("/install/invitations/" + code)
    #expect(browser.submit())
    let phone = app.apple("1.3.0", "119")
    let android = app.android("3.4.0", 340)
    let (iOS, other) = ("/install" + phone.setupPath(), "/install" + android.setupPath())
    let id = try #require(phone.requestID)
    for path in [
      iOS.replacing("redirect_id=appcenter-\(app.secret)", with: "redirect_id=https"),
      iOS.replacing("redirect_id=appcenter-\(app.secret)", with: "redirect_id=javascript"),
      iOS.replacing(
        "redirect_id=appcenter-\(app.secret)", with: "redirect_id=appcenter-\(app.secret)%0d%0aX:y"),
      iOS.replacing("redirect_id=appcenter-\(app.secret)&", with: ""),
      iOS.replacing(id, with: "x"), iOS.replacing(id, with: id + "%26update_token=x"),
      iOS.replacing("request_id=\(id)&", with: ""),
      iOS.replacing("platform=iOS", with: "platform=x"),
      other.replacing(DistributedApp.identifier, with: "com.evil.app"),
      other.replacing(DistributedApp.identifier, with: "com.example.tern%3bend"),
      other.replacing(DistributedApp.identifier, with: "com.example.tern%3bS.x=y"),
      other.replacing("redirect_scheme=appcenter", with: "redirect_scheme=https"),
      iOS.replacing("/\(app.secret)/", with: "/8e14e67c-7c91-40ac-8517-999999999999/"),
    ] {
      browser.open(path)
      #expect(browser.handedOver == nil, "\(path)")
      #expect([400, 404].contains(browser.page?.status), "\(path)")
    }
    browser.open(iOS)
    #expect(browser.handedOver != nil)
    browser.open(other.replacing("-setup/?", with: "-setup?").replacing("private-", with: ""))
    #expect(browser.handedOver != nil, "the old path, without the slash")

    // A form of another site neither signs in nor out.
    let cookie = browser.cookies.map { "Cookie: \($0.key)=\($0.value)" }
    for headers in [
      ["Origin: https://evil.example"], ["Sec-Fetch-Site: cross-site"], ["Origin: null"],
    ] {
      let answer = server.ask(
        "POST", "/install/sign-out", token: "", headers: cookie + headers, body: [])
      #expect(answer?.status == 403)
    }
    #expect(server.ask("GET", "/install/invitations/x", token: "")?.status == 404)
    #expect(server.ask("POST", "/install/invitations/x", token: "", body: [])?.status == 404)
    let further = try invitation("ada@example.org", to: "Beta")
    let field = try #require(
      server.ask("POST", "/install/invitations/" + further, token: "", body: [])?.headers[
        "set-cookie"]
    )
    #expect(field.contains("HttpOnly") && field.contains("SameSite=Lax"))
    #expect(field.contains("Path=/install;") && !field.contains("Secure"))
  }

  @Test("No answer contains anything that the clients' rules forbid")
  func fixtures() throws {
    let artefact = try app.ipa("1.4.0", "120", notes: "This is a release note for test")
    let server = try server()
    let path = "/v0.1/public/sdk/apps/\(app.secret)/releases/latest"
    let answer = try #require(server.ask("GET", path, token: ""))
    #expect(answer.headers["content-type"] == "application/json")
    let value = try JSONDocument.parse(ByteView(answer.body)).value
    let members = try #require(value.object)
    #expect(members.allSatisfy { !$0.value.isNull })
    #expect(value["status"]?.string == "available")
    #expect(value["bundle_identifier"]?.string == DistributedApp.identifier)
    #expect(value["device_family"]?.string == "iPhone/iPad")
    #expect(value["destination_type"]?.string == "group")
    #expect(value["app_os"]?.string == "iOS")
    #expect(value["fingerprint"]?.string == artefact.md5)
    #expect(value["size"]?.integer == artefact.size)
    #expect(value["distribution_groups"]?[0]?["id"] == value["distribution_group_id"])
    #expect(
      value["uploaded_at"]?.string?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#)
        != nil)
    #expect(value["release_notes"]?.string == "This is a release note for test")
  }
}

/// Whether a result is a failure.
private func isFailure<Success, Failure>(_ result: Result<Success, Failure>) -> Bool {
  if case .failure = result { true } else { false }
}
