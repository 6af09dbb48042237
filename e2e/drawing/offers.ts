import type { Page } from "@playwright/test";
import { avatar } from "../support/widget.ts";

/** The directions of the video sections of the offers that the page has sent; "none" without a section. */
export function watchOffers(page: Page): string[] {
  const directions: string[] = [];
  page.on("request", (request) => {
    if (!/\/(?:sessions|exchange)$/.test(request.url()) || request.method() !== "POST") return;
    const { client_sdp } = request.postDataJSON() as { client_sdp: { sdp: string } };
    const video = client_sdp.sdp.split(/^(?=m=)/m).find((section) => section.startsWith("m=video"));
    directions.push(/^a=(recvonly|inactive)/m.exec(video ?? "")?.[1] ?? "none");
  });
  return directions;
}

/** Number of frames that the page has received of the video. */
export function framesReceived(page: Page): Promise<number> {
  return avatar(page).evaluate(
    (element) => element.shadowRoot!.querySelector("video")!.getVideoPlaybackQuality().totalVideoFrames,
  );
}
