import { html } from "lit";

/** Sheets of paper: what an avatar knows. */
export const knowledgeScene = html`<svg
  viewBox="0 0 320 200"
  preserveAspectRatio="xMidYMid slice"
  aria-hidden="true"
>
  <g class="paper">
    <rect x="70" y="52" width="128" height="170" rx="14" transform="rotate(-6 134 120)" />
    <rect x="118" y="40" width="136" height="190" rx="14" transform="rotate(3 186 130)" />
  </g>
  <g class="lines" transform="rotate(3 186 130)">
    <path class="ink" d="M138 66h62" />
    <path d="M138 90h96M138 108h88M138 126h96M138 162h90M138 180h96" />
    <path class="found" d="M138 144h70" />
  </g>
</svg>`;

/** A page with an empty place for the avatar. */
export const pageScene = html`<svg
  viewBox="0 0 320 200"
  preserveAspectRatio="xMidYMid slice"
  aria-hidden="true"
>
  <rect class="paper" x="44" y="38" width="232" height="180" rx="14" />
  <path class="edge" d="M44 62h232" />
  <path class="ink thin" d="M62 50h30" />
  <path class="ink thick" d="M64 88h92M64 102h60" />
  <rect class="block" x="62" y="124" width="58" height="60" rx="8" />
  <rect class="block" x="130" y="124" width="58" height="60" rx="8" />
  <circle class="place" cx="238" cy="142" r="25" />
</svg>`;
