internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for release files and their recipients.
enum ArtefactRoutes {
  static let all: [APIRoute] = files + groups + testers

  private static let app = APIMember.always("app", .text(atLeast: 1), "The app.")
  private static let number = APIMember.always(
    "number", .integer(1...Int.max), "The file's number.")
  private static let ofApp = APIRoute.Parameter.asked(
    "app", .text(atLeast: 1), "The app.", isRequired: true)

  // MARK: Files

  private static let files: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/artefacts", "listArtefacts", "The files of an app's releases, newest first.",
      tag: "releases", access: .readReleases,
      query: [ofApp, .asked("version", .text(atLeast: 1), "Only 1.5.0, or only 1.5.0 (600).")]
        + .pages, returns: .page("Artefact"), refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).list($0) },
    APIRoute(
      "POST", "/api/v1/artefacts", "addArtefact",
      "Add a file of a release. It is not published yet.", tag: "releases",
      access: .releases, rate: .upload,
      query: [
        ofApp, .asked("name", .text(atLeast: 1), "The file's name: tern.ipa.", isRequired: true),
        .asked("version", .text(atLeast: 1), "1.5.0 (600), unless the file states it."),
      ],
      input: .file(atMost: APILimits.artefact),
      returns: .json(.created, "The file, with its number.", .named("Artefact")),
      refusals: [.conflict, .unprocessableContent]
    ) { try ArtefactsEndpoint(context: $1).add($0) },
    change(
      "/artefacts/edit", "editArtefact", "Change the notes, the state or the signatures of a file.",
      [
        number, .maybe("notes", .text(), "The release notes."),
        .maybe("enabled", .flag, "Whether it is offered to its groups and testers."),
        .maybe("ed_signature", .text(), "Sparkle's signature, in base64; empty for none."),
        .maybe("dsa_signature", .text(), "Sparkle 1's signature; empty for none."),
      ], returns: .json(.ok, "The file as it is now.", .named("Artefact"))
    ) { try ArtefactsEndpoint(context: $1).edit($0) },
    change(
      "/artefacts/publish", "publishArtefact", "Publish a file to groups or testers.",
      [number] + audience
        + [.maybe("mandatory", .flag, "Whether clients have to install it.")],
      returns: .json(.ok, "The file as it is now.", .named("Artefact"))
    ) { try ArtefactsEndpoint(context: $1).publish($0) },
    change(
      "/artefacts/withdraw", "withdrawArtefact", "Stop offering a file to groups or testers.",
      [number] + audience, returns: .json(.ok, "The file as it is now.", .named("Artefact"))
    ) { try ArtefactsEndpoint(context: $1).withdraw($0) },
    change(
      "/artefacts/remove", "removeArtefact", "Remove a file; its number is not used again.",
      [number], returns: .empty(.noContent, "Removed.")
    ) { try ArtefactsEndpoint(context: $1).remove($0) },
    APIRoute(
      "GET", "/api/v1/artefacts/missing-debug-files", "listMissingDebugFiles",
      "Binaries in a file without a debug file.", tag: "releases", access: .readReleases,
      query: [
        ofApp, .asked("number", .integer(1...Int.max), "The file's number.", isRequired: true),
      ] + .pages, returns: .page("PackagedBinary"), refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).missingDebugFiles($0) },
    APIRoute(
      "GET", "/api/v1/artefacts/history", "listDistributionHistory",
      "The history of an app's releases, oldest first.", tag: "releases",
      access: .readReleases,
      query: [ofApp, .asked("version", .text(atLeast: 1), "Only 1.5.0, or only 1.5.0 (600).")]
        + .pages, returns: .page("DistributionEvent"), refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).history($0) },
  ]

  private static let audience: [APIMember] = [
    .maybe("groups", .list(.text(atLeast: 1), atMost: 100), "Names or ids."),
    .maybe("testers", .list(.text(atLeast: 1), atMost: 100), "Email addresses."),
  ]

  // MARK: Groups

  private static let groups: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/distribution-groups", "listDistributionGroups",
      "The distribution groups of an app.", tag: "releases", access: .readReleases,
      query: [ofApp] + .pages, returns: .page("DistributionGroup"), refusals: [.notFound]
    ) { try DistributionGroupsEndpoint(context: $1).list($0) },
    change(
      "/distribution-groups", "addDistributionGroup", "Create a distribution group.",
      [
        .always("name", .text(atLeast: 1)),
        .maybe("public", .flag, "Whether everyone with the app gets its releases."),
      ], returns: .json(.created, "The group.", .named("DistributionGroup"))
    ) { try DistributionGroupsEndpoint(context: $1).add($0) },
    change(
      "/distribution-groups/edit", "editDistributionGroup",
      "Rename a distribution group, or make it public or private.",
      [
        .always("name", .text(atLeast: 1)), .maybe("to", .text(atLeast: 1), "The new name."),
        .maybe("public", .flag),
      ], returns: .json(.ok, "The group as it is now.", .named("DistributionGroup"))
    ) { try DistributionGroupsEndpoint(context: $1).edit($0) },
    change(
      "/distribution-groups/remove", "removeDistributionGroup", "Remove a distribution group.",
      [.always("name", .text(atLeast: 1))], returns: .empty(.noContent, "Removed.")
    ) { try DistributionGroupsEndpoint(context: $1).remove($0) },
  ]

  // MARK: Testers

  private static let email = APIMember.always("email", .text(atLeast: 1), "The tester's address.")

  private static let testers: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/testers", "listTesters", "The testers of an app.", tag: "releases",
      access: .readReleases, query: [ofApp] + .pages, returns: .page("Tester"),
      refusals: [.notFound]
    ) { try TestersEndpoint(context: $1).list($0) },
    change(
      "/testers/invite", "inviteTester", "Invite a tester to a distribution group.",
      [email, .always("group", .text(atLeast: 1))],
      returns: .json(.created, "The tester, with the invitation.", .named("InvitedTester"))
    ) { try TestersEndpoint(context: $1).invite($0) },
    change(
      "/testers/remove", "removeTester", "Remove a tester from a group or from the app.",
      [email, .maybe("group", .text(atLeast: 1), "The group. Default: all of the app.")],
      returns: .empty(.noContent, "Removed.")
    ) { try TestersEndpoint(context: $1).remove($0) },
    change(
      "/testers/revoke", "revokeTester",
      "End a tester's invitations, sessions and update tokens.", [email],
      returns: .json(
        .ok, "The number of revoked items.", .object([.always("revoked", .count)]))
    ) { try TestersEndpoint(context: $1).revoke($0) },
  ]

  private static func change(
    _ path: String, _ name: String, _ summary: String, _ members: [APIMember],
    returns answer: APIRoute.Answer, handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      "POST", "/api/v1" + path, name, summary, tag: "releases", access: .releases,
      input: .json([app] + members), returns: answer, refusals: [.notFound, .conflict],
      handler: handler)
  }
}
