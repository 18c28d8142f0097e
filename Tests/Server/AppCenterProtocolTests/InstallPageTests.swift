import Bytes
import CrashStore
import JSON
import TestSupport
import Testing
import Updates

@testable import AppCenterProtocol
@testable import ProgramSupport

/// The page from which users install an app, as browsers of devices get it.
@Suite("Install pages", .serialized) struct InstallPageTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let app: DistributedApp
  private static let name = "Tern <b> & Söhne"
  private let path = "/install/apps/" + UpdateAddress.encoded(name)

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    app = try DistributedApp(Self.name, number: 1, in: store)
  }

  private func server(_ options: [String] = []) throws -> RunningServer {
    try #require(RunningServer(home: folder.path("home"), options: options))
  }

  private func get(
    _ path: String, as agent: String, cookies: [String: String] = [:], _ server: RunningServer
  ) -> WebClient.Answer? {
    var headers = ["User-Agent: " + agent]
    if !cookies.isEmpty {
      headers.append("Cookie: " + cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
    }
    return server.ask("GET", path, token: "", headers: headers)
  }

  /// The addresses that a page links to.
  private func links(_ page: WebClient.Answer?) -> [String] {
    guard let page else { return [] }
    let browser = TesterBrowser { _, _, _, _ in page }
    browser.open("/")
    return browser.links
  }

  @Test("A phone gets the release of its own system alone, a computer a code to scan")
  func devices() throws {
    try app.ipa("1.4.0", "120", notes: "Fixes <script>alert(1)</script>\nand more")
    try app.apk("3.4.1", "341")
    let server = try server()
    let phone = try #require(get(path, as: UserAgents.iPhone, server))
    #expect(phone.status == 200)
    #expect(phone.text.contains("<h1>Tern &lt;b&gt; &amp; Söhne</h1>"))
    #expect(phone.text.contains("Version 1.4.0 (120)"))
    #expect(phone.text.contains("iOS 13.0 or later"))
    #expect(phone.text.contains("<p>Fixes alert(1)<br />\nand more</p>"))
    #expect(!phone.text.contains("<script") && !phone.text.contains("<svg"))
    #expect(phone.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(phone.headers["cache-control"] == "no-store")
    #expect(links(phone).count == 1)
    let install = try #require(links(phone).first)
    #expect(install.hasPrefix("itms-services://?action=download-manifest&url=http"))
    let manifest = try #require(UpdateAddress.query(of: install)["url"])
    #expect(
      server.ask("GET", try #require(UpdateAddress.path(of: manifest)), token: "")?.status == 200)
    // The test's server has no https, without which iOS installs nothing.
    #expect(phone.text.contains("iOS installs over https only"))

    let android = try #require(get(path, as: UserAgents.pixel, server))
    #expect(android.text.contains("Version 3.4.1 (341)"))
    #expect(android.text.contains("Android 5.0 or later"))
    #expect(links(android).count == 1)
    let file = try #require(links(android).first.flatMap(UpdateAddress.path))
    #expect(file.hasSuffix("/2/file/tern.apk"))
    let answer = server.ask("GET", file, token: "")
    #expect(answer?.headers["content-type"] == "application/vnd.android.package-archive")

    let windows = try #require(get(path, as: UserAgents.windows, server))
    #expect(windows.text.contains("<svg class=\"code\""))
    #expect(windows.text.contains("1.4.0") && windows.text.contains("3.4.1"))
    #expect(!windows.text.contains("itms-services"))

    let lumia = try #require(get(path, as: UserAgents.lumia, server))
    #expect(lumia.text.contains("only for iOS, Android"))
    #expect(links(lumia).isEmpty && !lumia.text.contains("<svg"))
    // Who says nothing may be anybody.
    #expect(get(path, as: "", server)?.text.contains("itms-services") == true)
  }

  @Test("An iPad that says it is a Mac has a button where there is a touch screen")
  func tablets() throws {
    try app.ipa("1.4.0", "120")
    try app.apk("3.4.1", "341")
    let server = try server()
    let mac = try #require(get(path, as: UserAgents.iPadAsMac, server)).text
    let touch = mac.split(separator: "<div class=\"touch\">").dropFirst().first
    let button = try #require(touch?.split(separator: "</div>").first)
    #expect(button.contains("itms-services"))
    #expect(mac.contains("<section class=\"no-touch\">"), "what is for other systems, and the code")
    let linux = try #require(get(path, as: UserAgents.tabletAsLinux, server)).text
    #expect(linux.contains("<div class=\"touch\">"))
    #expect(!linux.contains("itms-services"))
    try app.enable(1, false)
    #expect(
      RunningMayday.wait {
        get(path, as: UserAgents.iPadAsMac, server)?.text.contains("There is no release for iOS")
          == true
      })
    #expect(get(path, as: UserAgents.iPhone, server)?.text.contains("only for Android") == true)
  }

  @Test("The paths that tools print lead to the page; groups and releases limit it")
  func paths() throws {
    try app.apk("3.4.0", "340")
    try app.apk("3.4.1", "341", to: ["Everyone else"])
    let server = try server()
    let encoded = UpdateAddress.encoded(Self.name)
    func version(_ path: String) -> String? {
      let page = get(path, as: UserAgents.pixel, server)
      guard page?.status == 200 else { return page.map { "\($0.status)" } }
      return page?.text.split(separator: "Version ").dropFirst().first.map {
        String($0.prefix { $0 != "," })
      }
    }
    let id = try app.id(ofGroup: DistributedApp.open)
    for start in ["/install", "/a/b/install", "/install/users/acme", "/install/orgs/acme%2f.."] {
      #expect(version("\(start)/apps/\(encoded)") == "3.4.1 (341)", "\(start)")
      #expect(version("\(start)/apps/\(encoded)/distribution_groups/Everyone") == "3.4.0 (340)")
      #expect(version("\(start)/apps/\(encoded)/distribution_groups/\(id)") == "3.4.0 (340)")
      #expect(
        version("\(start)/apps/\(encoded)/distribution_groups/Everyone%20else") == "3.4.1 (341)")
      #expect(version("\(start)/apps/\(encoded)/distribution_groups/Nobody") == "404")
      #expect(version("\(start)/apps/\(encoded)/releases/2") == "3.4.1 (341)")
      #expect(
        version("\(start)/apps/\(encoded)/distribution_groups/Everyone/releases/1")
          == "3.4.0 (340)")
      #expect(version("\(start)/apps/\(encoded)/releases/1") == "404", "there is a newer one")
    }
    #expect(version("/install/apps/" + app.secret) == "3.4.1 (341)")
    for number in ["0", "-1", "9", "x", "9223372036854775808", "..%2f2", "%20", "1.0"] {
      #expect(version("\(path)/releases/\(number)") == "404", "\(number)")
    }
    for app in ["Nobody", "%2e%2e", "..%2f..%2fetc", String(repeating: "a", count: 3_000)] {
      #expect(version("/install/apps/" + app) == "404", "\(app)")
    }
    #expect([400, 404].contains(get("/install/apps/%00", as: "", server)?.status))
  }

  @Test("Older releases are listed where the operator lets them")
  func olderReleases() throws {
    for (version, build) in [("3.4.0", "340"), ("3.4.1", "341"), ("3.4.2", "342")] {
      try app.apk(version, build)
    }
    try app.ipa("1.0", "1")
    try app.rollOut("3.4.2", "342", percent: 0)
    let server = try server()
    #expect(get(path, as: UserAgents.pixel, server)?.text.contains("Version 3.4.1 (341)") == true)
    #expect(get(path, as: UserAgents.pixel, server)?.text.contains("3.4.0") == false)
    try store.distribution.set(
      UpdateSetting.olderReleases.rawValue, to: "yes", of: app.name, by: "test")
    #expect(
      RunningMayday.wait {
        get(path, as: UserAgents.pixel, server)?.text.contains("Older releases") == true
      })
    let page = try #require(get(path, as: UserAgents.pixel, server))
    #expect(page.text.contains("3.4.0 (340)"))
    #expect(!page.text.contains("3.4.2"), "it is not offered yet")
    #expect(!page.text.contains("1.0 (1)"), "it is for another system")
    let link = try #require(links(page).last)
    #expect(link == path + "/releases/1")
    let older = try #require(get(link, as: UserAgents.pixel, server))
    #expect(older.status == 200 && older.text.contains("Version 3.4.0 (340)"))
    #expect(get(path + "/releases/3", as: UserAgents.pixel, server)?.status == 404)
    let other = try #require(get(path + "/releases/4", as: UserAgents.pixel, server))
    #expect(other.status == 200 && links(other).isEmpty, "no file of another system")
    #expect(UpdateSetting.olderReleases.problem(of: "maybe") != nil)
  }

  @Test("The order of releases says which is the newest, not that in which they were added")
  func order() throws {
    try app.ipa("2.0.0", "200")
    try app.ipa("1.4.4", "144")
    try app.ipa("1.4.3", "143")
    try store.distribution.set(
      UpdateSetting.olderReleases.rawValue, to: "yes", of: app.name, by: "test")
    let server = try server()
    let page = try #require(get(path, as: UserAgents.iPhone, server))
    #expect(page.text.contains("Version 2.0.0 (200)"))
    #expect(Array(links(page).dropFirst()) == [path + "/releases/2", path + "/releases/3"])
  }

  @Test("What is private is for its testers, and nobody else learns that it is there")
  func privateReleases() throws {
    try app.apk("3.5.0", "350", to: ["Beta"])
    _ = try app.id(ofGroup: "Alpha")
    let code = try store.distribution.invite(
      "ada@example.org", to: "Beta", of: app.name, by: "test"
    ).invitation
    let server = try server()
    let stranger = try #require(get(path, as: UserAgents.pixel, server))
    let nobody = try #require(get("/install/apps/Nobody", as: UserAgents.pixel, server))
    func plain(_ page: WebClient.Answer) -> String {
      page.text.replacing(/nonce="[0-9a-f]+"/, with: "")
    }
    #expect(stranger.status == 404 && plain(stranger) == plain(nobody))
    #expect(links(stranger) == ["/install"])
    let group = path + "/distribution_groups/Beta"
    #expect(get(group, as: UserAgents.pixel, server)?.status == 404)

    let browser = TesterBrowser { method, path, headers, body in
      server.ask(
        method, path, token: "", headers: headers + ["User-Agent: " + UserAgents.pixel], body: body)
    }
    browser.open("/install/invitations/" + code)
    #expect(browser.submit())
    #expect(browser.path == "/install" && browser.links.last == path)
    for page in [path, group] {
      browser.open(page)
      #expect(browser.page?.status == 200 && browser.page?.text.contains("3.5.0") == true)
      let file = try #require(browser.links.first.flatMap(UpdateAddress.path))
      #expect(file.contains("?token="))
      #expect(server.ask("GET", file, token: "")?.status == 200)
    }
    browser.open(path + "/distribution_groups/Alpha")
    #expect(browser.page?.status == 404)
    // A newer public one counts for testers, too, and an older one does not.
    try app.apk("3.6.0", "360")
    #expect(
      RunningMayday.wait {
        browser.open(path)
        return browser.page?.text.contains("3.6.0") == true
      })
    #expect(browser.links.first?.contains("token=") == false)
    #expect(get(path, as: UserAgents.pixel, server)?.text.contains("3.5.0") == false)
  }

  @Test("App bundles are not offered, and the page is at the operator's address")
  func bundles() throws {
    try app.apk("3.4.0", "340")
    try app.apk("3.5.0", "350", kind: .aab)
    let server = try server(["--server-url", "https://crashes.example.org/m"])
    let page = try #require(get(path, as: UserAgents.windows, server))
    #expect(page.text.contains("3.4.0") && !page.text.contains("3.5.0"))
    #expect(links(page).contains("https://crashes.example.org/m" + path))
    let full = try #require(
      server.ask("GET", "/v0.1/apps/acme/\(UpdateAddress.encoded(Self.name))/releases/1"))
    let document = try JSONDocument.parse(ByteView(full.body)).value
    #expect(document["install_page_url"]?.string == "https://crashes.example.org/m" + path)
    let bundle = try #require(
      server.ask("GET", "/v0.1/apps/acme/\(UpdateAddress.encoded(Self.name))/releases/2"))
    #expect(bundle.status == 200 && !bundle.text.contains("install_page_url"))
  }

  @Test("Who publishes a release to a public group is told where users install it")
  func told() throws {
    let home = folder.path("home")
    try app.apk("3.4.0", "340", to: [])
    _ = try (app.id(ofGroup: DistributedApp.open), app.id(ofGroup: "Beta"))
    let closed = Run(
      ["releases", "edit", "#1", "--app", Self.name, "--groups", "Beta", "--home", home])
    #expect(closed.status == 0 && closed.errors == "")
    let open = Run(
      ["releases", "edit", "#1", "--app", Self.name, "--groups", "Everyone", "--home", home])
    #expect(open.errors == "Users install it from \(path) of the server.\n")
    try app.apk("3.5.0", "350", kind: .aab, to: [])
    let bundle = Run(
      ["releases", "edit", "#2", "--app", Self.name, "--groups", "Everyone", "--home", home])
    #expect(!bundle.errors.contains("Users install it") && bundle.errors.contains("no device"))
    let server = try server()
    let added = Run(
      [
        "releases", "add", Samples.root + "/Artefacts/Tern-1.1.0.ipa", "--app", Self.name,
        "--groups",
        "Everyone", "--server", "http://127.0.0.1:\(server.port)/",
      ], environment: ["MAYDAY_TOKEN": server.token])
    #expect(
      added.errors.hasPrefix("Users install it from http://127.0.0.1:\(server.port)\(path)\n"))
    let publish = "/v0.1/apps/acme/\(UpdateAddress.encoded(Self.name))/releases/1"
    let answer = try #require(
      server.ask(
        "PATCH", publish, body: Array(#"{"destinations":[{"name":"Everyone"}]}"#.utf8)))
    #expect(answer.text.contains("\"install_page_url\":\"http"))
  }
}
