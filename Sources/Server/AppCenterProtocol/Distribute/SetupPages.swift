internal import HTTP
internal import Rendering
internal import Updates

/// The pages shown while an app gets its update token.
enum SetupPages {
  /// Forwards to the app, automatically and with a link. The authentication session of iOS waits for a real
  /// redirect; Android browsers may block one without a tap, and then show the page.
  static func handOver(_ setup: SetupRequest, _ address: String) -> Response {
    var response = TesterPage(
      "Back to \(setup.updates.app)",
      """
      <p><a class="button" href="\(address)">Return to \(setup.updates.app)</a></p>
      <p class="quiet">If nothing happens, open the app again.</p>
      """
    ).response
    switch setup.system {
    case .iOS:
      response.status = .found
      response.headers["Location"] = address
    case .android: response.headers["Refresh"] = "0;url=" + address
    }
    return response
  }

  /// Asks for the code of an invitation.
  ///
  /// - Parameter isWrong: Whether the last code was not valid.
  static func signIn(_ setup: SetupRequest, isWrong: Bool = false) -> Response {
    let wrong: HTML = isWrong ? "<p role=\"alert\">This code is not valid.</p>" : .none
    let back: HTML =
      setup.redirectsFailure
      ? """
      <p><a class="button plain" href="\(setup.failure("the tester did not sign in"))">Skip sign-in</a></p>
      """ : .none
    return TesterPage(
      "Sign in to test \(setup.updates.app)",
      """
      <p>This release gets its updates from a private group. Open the link of your invitation in this browser,
      or enter its code: the last part of the link.</p>
      \(wrong)
      <form method="post">
      <label for="code">Code of the invitation</label>
      <input id="code" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required>
      <button>Sign in</button>
      </form>
      \(back)
      """, status: isWrong ? .forbidden : .ok,
      schemes: setup.system == .iOS ? [setup.target] : ["intent"]
    ).response
  }

  /// Says that the tester gets no release of the app.
  static func noRelease(_ setup: SetupRequest) -> Response {
    TesterPage(
      "Nothing for you yet",
      """
      <p>None of your private groups has a release of \(setup.updates.app). Ask whoever invited you.</p>
      """, status: .forbidden
    ).response
  }

  /// Shows why the request cannot continue.
  static func problem(_ problem: SetupRequest.Problem) -> Response {
    switch problem {
    case .unknownApp:
      TesterPage(
        "This app is not here",
        "<p>This server doesn't know the app. Tell the person who gave it to you.</p>",
        status: .notFound
      ).response
    case .wrong(let name):
      TesterPage(
        "This link is incomplete",
        "<p>Open the app and let it check for updates again.</p><p class=\"quiet\">\(name) is missing or wrong.</p>",
        status: .badRequest
      ).response
    }
  }
}
