// The share of each lamp that what is seen sees: as soft an edge as the lamp, its occluder and the place ask for.
//
// A pixel takes a few looks into the shadow maps, its neighbors others: light.frag takes the mean over squares of 2 x 2
// pixels, each of which has all looks between them. A share of 1 says that no body can be in the way; if one might be, the share
// is less.

const int LOOKS = SAMPLES > 1 ? 5 : 3;  // into a shadow map, to find out whether there is a shadow
const int TAPS = SAMPLES > 1 ? 12 : 4;  // to find out how much of it

const float UNSURE = 254.0 / 255.0;

uniform mat4 lamp_view[LAMPS];
uniform vec2 lamp_scale[LAMPS];     // width of its view at distance 1 (of a sun: at any), and its nearest depth
uniform vec2 limits;                // of depth, in the lamps' views
uniform float bound[BODIES];        // radius that holds all of a body
uniform sampler2D shadow_map;       // 2 x 2 lamps

layout(location = 0) out vec4 first_shares;
layout(location = 1) out vec4 other_shares;

float angle;                        // of the first point of those that are spread over a disk
float start;                        // and how far from the middle of its ring it is

// How far the nearest body is, as the depth buffer has it; nothing casts a shadow from outside the map.
float stored(int lamp, vec2 uv) {
    int side = textureSize(shadow_map, 0).x / 2;
    ivec2 at = ivec2(clamp(uv, 0.0, 0.999) * side) + ivec2(lamp % 2, lamp / 2) * side;
    return uv == clamp(uv, 0.0, 1.0) ? texelFetch(shadow_map, at, 0).r : 1.0;
}

// How far toward a lamp a body is that might hide it, -1 if none might.
float may_be_hidden(int lamp, vec3 to, float reach) {
    float found = -1.0;
    for (int k = 0; k < BODIES; k++) {
        vec3 there = ball[k].xyz - place;
        float along = clamp(dot(there, to), 0.0, reach);
        float wide = bound[k] + 0.5 * lamp_edge[lamp] * (lamp == SUN ? along : 1.0);
        vec3 miss = there - along * to;
        if (dot(miss, miss) < wide * wide) found = max(found, along);
    }
    return found;
}

float lit_share(int lamp) {
    vec4 to = toward(lamp);
    float facing_it = dot(facing, to.xyz);
    if (facing_it <= 0.0) return 1.0;
    bool sun = lamp == SUN;
    float edge = 0.55 * lamp_edge[lamp], wide = lamp_scale[lamp].x, near = lamp_scale[lamp].y;
    float grain = wide * (sun ? 1.0 : to.w) / float(textureSize(shadow_map, 0).x / 2);
    vec4 clip = lamp_view[lamp] * vec4(place + facing * (0.01 + grain * (1.5 - facing_it)), 1);
    vec2 uv = clip.xy / clip.w * 0.5 + 0.5, way = vec2(cos(angle), sin(angle));
    float depth = sun ? clip.z : clip.w, kept = min(clip.z / clip.w * 0.5 + 0.5, 0.99999);  // nothing is as far as 1
    float search = max(sun ? 2.0 * edge * (depth - near) : edge * (depth - near) / (depth * near * wide), 0.006);
    float sum = 0.0, count = 0.0, lit = 0.0, k = start;
    float along = may_be_hidden(lamp, to.xyz, to.w);
    int looks = along >= 0.0 ? LOOKS : 0;
    for (int left = looks; left > 0; left--) {
        float found = stored(lamp, uv + search * sqrt(k / float(LOOKS)) * way);
        float hides = step(found, kept);
        sum += hides * found;
        count += hides;
        way = GOLDEN * way;
        k += 1.0;
    }
    // where no look has found the body, it is as far away as its middle
    int taps = count > 0.0 || along > 0.0 ? TAPS : 0;
    float occluder = 2.0 * sum / max(count, 1.0) - 1.0;
    if (!sun) occluder = 2.0 * limits.x * limits.y / (limits.x + limits.y - occluder * (limits.y - limits.x));
    if (count == 0.0) occluder = sun ? depth - along / (2.0 * wide) : depth * max(1.0 - along / to.w, 0.05);
    float blur = max(sun ? 2.0 * edge * (depth - occluder) : edge * (depth - occluder) / (occluder * depth * wide), 0.006);
    k = start;
    for (int left = taps; left > 0; left--) {
        lit += step(kept, stored(lamp, uv + blur * sqrt(k / float(TAPS)) * way));
        way = GOLDEN * way;
        k += 1.0;
    }
    return taps > 0 ? lit / float(TAPS) * UNSURE : 1.0;
}

vec4 shares_at(ivec2 at, int shows) {
    place = texelFetch(seen_place, at, shows).xyz;
    facing = normalize(texelFetch(seen_normal, at, shows).xyz + vec3(0, 0, 1e-6));
    vec4 found = vec4(1);
    for (int k = 0; k < LAMPS; k++) found[k] = lit_share(k);
    return found;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int look = at.x % 2 + at.y % 2 * 2;
    angle = float(look) * PI / 2.0;
    start = (float(3 * look % 4) + 0.5) / 4.0;
    Things things = things_at(at);
    first_shares = shares_at(at, 0);
    other_shares = vec4(1);
    for (int left = things.share > 0.0 ? 1 : 0; left > 0; left--) other_shares = shares_at(at, things.shows_other);
}
