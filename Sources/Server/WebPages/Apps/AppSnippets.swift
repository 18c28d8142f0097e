internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Snippets to copy, with which an app's installations and builds reach this server.
struct AppSnippets {
  let call: PageCall
  let app: AppRecord

  private var server: String { call.request.head.origin }

  /// Returns a new secret in App Center's format: a UUID.
  static func newSecret() -> String {
    var random = SystemRandomNumberGenerator()
    let digits = (0..<4).map { _ -> String in
      let word = String(UInt32.random(in: .min ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 8 - word.count) + word
    }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count -> String in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  var content: HTML {
    """
    <dl><dt>Groups</dt><dd>\(app.prefix)-1, \(app.prefix)-2, …</dd><dt>Key</dt><dd class="mono">\(app.intakeKey)</dd></dl>
    <p class="quiet">The key is compiled into the app: it can hand in reports of this app, and nothing else.</p>
    <h3>Crash reports of any format</h3>\(Self.curl(key: app.intakeKey, server))\(attachments)
    <h3>Crashpad, Breakpad, Electron</h3>\(minidumps)
    <h3>App Center SDK</h3>\(sdk)
    <h3>Sessions, for crash-free rates</h3>\(sessions)
    <h3>CI: debug files</h3>\(Self.upload(to: server, call))
    <h3>CI: releases</h3>\(releases)
    <h3>Updates</h3>\(updates)
    """
  }

  private static func code(_ text: HTML) -> HTML {
    "<pre class=\"message\" tabindex=\"0\">\(text)</pre>"
  }

  private var attachments: HTML {
    let form: HTML = """
      curl -H "X-App-Key: \(app.intakeKey)" -F file=@crash.ips -F attachment=@app.log \(server)/api/v1/reports
      """
    return "<p>With attachments, as a form</p>\(Self.code(form))"
  }

  /// The addresses for clients of the Breakpad family, which cannot send headers.
  private var minidumps: HTML {
    let address: HTML = "\(server)/minidump?key=\(app.intakeKey)"
    return """
      <p>Crashpad: <code>--url</code> of the handler; Breakpad: the address for uploads</p>\(Self.code(address))
      <p>Electron</p>\(Self.code("crashReporter.start({ submitURL: \"\(address)\" })"))
      <p>Mozilla's clients</p>\(Self.code("\(server)/submit?key=\(app.intakeKey)"))
      """
  }

  private var sessions: HTML {
    let start = call.now.description.prefix(19).description + "Z"
    let post: HTML = """
      curl -H "X-App-Key: \(app.intakeKey)" -H "Content-Type: application/json" \\
        -d '{"id":"1","install":"1","version":"1.0","started":"\(start)"}' \(server)/api/v1/sessions
      """
    return """
      <p class="quiet">App Center's SDKs report sessions themselves. Other programs send each when it begins, and \
      again when it ends.</p>\(Self.code(post))
      """
  }

  private var releases: HTML {
    // The name is one word for the shell.
    let name = "'" + app.name.replacing("'", with: "'\\''") + "'"
    let add: HTML = """
      export MAYDAY_TOKEN=TOKEN
      mayday releases add FILE --app \(name) --server \(server)
      """
    return "\(Self.code(add))\(Self.tokenHint("releases", call))"
  }

  /// The addresses that clients poll; all but one name the app by a secret.
  private var updates: HTML {
    let configuration: HTML = """
      <p>RemoteConfiguration</p>\(Self.code("\(server)/config/\(app.name.inAddress)/VERSION.json"))
      """
    guard let secret = app.secrets.first else {
      return """
        \(configuration)
        <p class="quiet">Sparkle and App Center Distribute need a secret, as the SDK does.</p>
        """
    }
    let feed: HTML = """
      &lt;key&gt;SUFeedURL&lt;/key&gt;
      &lt;string&gt;\(server)/v0.1/public/sparkle/apps/\(secret)&lt;/string&gt;
      """
    let distribute: HTML = """
      Distribute.apiUrl = "\(server)/v0.1"
      Distribute.installUrl = "\(server)/install"
      """
    return """
      <p>Sparkle, in <code>Info.plist</code></p>\(Self.code(feed))
      <p>App Center Distribute</p>\(Self.code(distribute))\(configuration)
      """
  }

  /// - Parameter key: The key of an app.
  static func curl(key: String, _ server: String) -> HTML {
    """
    <pre class="message" tabindex="0">curl -H "X-App-Key: \(key)" --data-binary @crash.ips \(server)/api/v1/reports</pre>
    """
  }

  /// The upload command, with the token in the environment: other users of a machine can read command lines.
  static func upload(to server: String, _ call: PageCall) -> HTML {
    let run: HTML = """
      export MAYDAY_TOKEN=TOKEN
      mayday upload build/ --server \(server)
      """
    return "\(code(run))\(tokenHint("symbols", call))"
  }

  /// Where a token with a scope comes from.
  private static func tokenHint(_ scope: String, _ call: PageCall) -> HTML {
    let token: HTML =
      call.visitor.account.allows(.admin) && call.visitor.account.app == nil
      ? "<a href=\"/server/tokens\">Create a token</a> with the scope \(scope)"
      : "Ask an admin for a token with the scope \(scope)"
    return "<p class=\"quiet\">\(token).</p>"
  }

  private var sdk: HTML {
    guard let secret = app.secrets.first else {
      guard call.visitor.account.allows(.admin), call.visitor.account.app == nil else {
        return "<p class=\"quiet\">The SDKs need a secret. Ask an admin to create one.</p>"
      }
      return """
        <form method="post" action="\(AppsView.path(app.name))/secret">\(call.formField)
        <p class="quiet">The SDKs need a secret, which identifies the app.</p>
        <p><button>Create secret</button></p></form>
        """
    }
    return """
      <p>Swift</p><pre class="message" tabindex="0">AppCenter.logUrl = "\(server)"
      AppCenter.start(withAppSecret: "\(secret)", services: [Crashes.self])</pre>
      <p>Kotlin, over HTTPS only</p><pre class="message" tabindex="0">AppCenter.setLogUrl("\(server)")
      AppCenter.start(application, "\(secret)", Crashes::class.java)</pre>
      <p>C#</p><pre class="message" tabindex="0">AppCenter.SetLogUrl("\(server)");
      AppCenter.Start("\(secret)", typeof(Crashes));</pre>
      """
  }
}
