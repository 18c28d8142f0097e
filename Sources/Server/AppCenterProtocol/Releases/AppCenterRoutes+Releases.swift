internal import APIDocuments
internal import HTTP
internal import ServerCore
internal import ServerStore
internal import Updates

/// Releases, groups, testers, and uploads of files.
extension AppCenterRoutes {
  static func addReleases(to router: inout Router, _ context: ServerContext) {
    let document = Body.memory(limit: APILimits.document)
    func get(_ pattern: String, _ answer: @escaping Answer) -> Operation {
      Operation(method: "GET", pattern: pattern, scopes: [.releases, .read], answer: answer)
    }
    func change(_ method: String, _ pattern: String, _ answer: @escaping Answer) -> Operation {
      Operation(
        method: method, pattern: pattern, scopes: [.releases],
        body: method == "DELETE" ? .none : document, answer: answer)
    }

    let releases = AppCenterReleasesEndpoint()
    let release = "/releases/:release"
    add(
      [
        get("/releases", releases.list), get("/recent_releases", releases.recent),
        get(release, releases.show), get(release + "/provisioning_profile", releases.profile),
        change("PUT", release, releases.change), change("PATCH", release, releases.publish),
        change("DELETE", release, releases.remove),
        change("POST", release + "/groups", releases.addGroup),
        change("PUT", release + "/groups/:id", releases.changeDestination(.group)),
        change("DELETE", release + "/groups/:id", releases.removeDestination(.group)),
        change("POST", release + "/testers", releases.addTester),
        change("PUT", release + "/testers/:id", releases.changeDestination(.tester)),
        change("DELETE", release + "/testers/:id", releases.removeDestination(.tester)),
        // Mayday has no stores to publish to.
        get("/distribution_stores") { _ in .json(Array("[]\n".utf8)) },
        get("/distribution_stores/:store") {
          throw HTTPError.refused(
            .notFound, "there is no store \($0.request.parameters["store"] ?? "")")
        },
        change("POST", release + "/stores") { _ in
          throw HTTPError.refused(
            .notFound, "releases are published to groups and testers, not to stores")
        },
      ], .releases, to: &router, context)

    // A query, despite its method: the request has a document.
    add(
      [
        Operation(
          method: "POST", pattern: "/release_counts", scopes: [.releases, .read], body: document,
          answer: AppCenterReleaseCountsEndpoint().counts)
      ], below: "/analytics/distribution", .releases, to: &router, context)

    let groups = AppCenterDistributionGroupsEndpoint()
    let group = "/distribution_groups/:group"
    add(
      [
        get("/distribution_groups", groups.list), get(group, groups.show),
        change("POST", "/distribution_groups", groups.add), change("PATCH", group, groups.change),
        change("DELETE", group, groups.remove), get(group + "/members", groups.members),
        change("POST", group + "/members", groups.invite),
        change("POST", group + "/members/bulk_delete", groups.removeMembers),
        change("POST", group + "/resend_invite", groups.inviteAgain),
        get(group + "/devices/download_devices_list", groups.devices),
        get("/testers", groups.testers), change("DELETE", "/testers/:id", groups.removeTester),
      ], .errors, to: &router, context)
    add(
      [
        get(group + "/releases", groups.releases),
        get(group + "/releases/:release", groups.release),
        change("DELETE", group + "/releases/:release", groups.removeRelease),
      ], .releases, to: &router, context)

    let uploads = AppCenterReleaseUploadsEndpoint(context: context)
    add(
      [
        change("POST", "/uploads/releases", uploads.begin),
        change("PATCH", "/uploads/releases/:id", uploads.finish),
        get("/uploads/releases/:id", uploads.show),
        change("POST", "/release_uploads", uploads.beginForm),
        change("PATCH", "/release_uploads/:id", uploads.finishForm),
      ], .releases, to: &router, context)
    addReleaseFiles(to: &router, context)
  }

  /// The body of requests that ignore it.
  private static let ignored = Body.sent(limit: .kibibytes(64))

  private static func addReleaseFiles(to router: inout Router, _ context: ServerContext) {
    let files = AppCenterReleaseFilesEndpoint(context: context)
    let authorization = StorageFailureResponse.authorization(context, before: files.authorization)
    let path = "/v0.1/release-files"
    router.post(
      path + "/upload/set_metadata/:id", body: ignored, before: files.authorization
    ) { try files.begin($0) }
    router.post(
      path + "/upload/upload_chunk/:id",
      body: .file(limit: ByteCount(bytes: AppCenterReleaseUploadsEndpoint.chunkSize)),
      before: authorization
    ) { try files.put($0) }
    router.post(
      path + "/upload/finished/:id", body: ignored, before: authorization
    ) { try files.finish($0) }
    router.post(
      path + "/upload/cancel/:id", body: ignored, before: files.authorization
    ) { try files.cancel($0) }
    router.get(path + "/upload/status/:id", before: files.authorization) { try files.status($0) }
    router.post(
      path + "/:id", body: .multipart(MultipartLimits(body: APILimits.artefact)),
      before: authorization
    ) { try files.putForm($0) }
  }
}
